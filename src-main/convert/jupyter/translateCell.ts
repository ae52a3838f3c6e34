/** Translates IPython syntax (magics, shell lines, help) in one Jupyter cell to Python, for the import. */

import { captureOutputs, readCapture, translatedUse } from './captureMagic.ts';
import { cleanCellText } from './cellText.ts';
import type { Note } from './findings.ts';
import { readKernelCall } from './kernelCalls.ts';
import { suppressedDisplayIn } from './lastDisplay.ts';
import {
  isMeasuringMagic,
  type LineContext,
  lineMagic,
  literal,
  measuredStatement,
  shellLine,
} from './lineMagics.ts';
import { type LogicalLine, logicalLines } from './logicalLines.ts';

const SHELLS = new Set(['bash', 'sh', 'script', 'cmd', 'system', 'sx', '!']);

/** The context of a translation. */
interface CellContext {
  readonly note: Note;
  /** Names that a `%%capture` fills and that some cell uses. */
  readonly captures: ReadonlySet<string>;
}

/**
 * Converts a code cell of Jupyter to a Python cell: IPython syntax is translated, or turned into a comment.
 */
export function translateCell(cellSource: string, context: CellContext): string {
  const source = cleanCellText(cellSource);
  const magic = /^%%[ \t]*(\w+|!)[ \t]*([^\n]*)\n?([\s\S]*)$/.exec(source);
  if (magic === null) return translateLines(source, context);
  const [, name = '', argument = '', body = ''] = magic;
  return cellMagic({ name, argument: argument.trim(), body }, context);
}

function cellMagic(
  { name, argument, body }: { readonly name: string; readonly argument: string; readonly body: string },
  context: CellContext,
): string {
  const { note } = context;
  const command = `%%${name}${argument === '' ? '' : ` ${argument}`}`;
  if (name === 'capture') return captureMagic({ original: command, argument, body }, context);
  if (isMeasuringMagic(name)) {
    // Code on the magic's line runs once, before the measured code.
    const setup = name === 'time' ? '' : measuredStatement(name, argument);
    note('translated_magics', `${command}: its body is the cell${setup === '' ? '' : ', after its set-up'}`);
    return translateCell([setup, body].filter((part) => part.trim() !== '').join('\n'), context);
  }
  if (SHELLS.has(name)) {
    note('dropped_shells', command);
    return commented(`${command} was not run`, body);
  }
  if ((name === 'writefile' || name === 'file') && argument !== '') {
    note('translated_magics', command);
    return writeFile(argument, body);
  }
  note('dropped_magics', command);
  return commented(`${command} is not supported`, body);
}

function captureMagic(
  {
    original,
    argument,
    body,
  }: { readonly original: string; readonly argument: string; readonly body: string },
  context: CellContext,
): string {
  const { note, captures } = context;
  const capture = readCapture(argument);
  const { name } = capture;
  const translated = translateCell(body, context);
  if (name === null || !captures.has(name)) {
    note('translated_magics', `${original}: its body is the cell, and what it prints is shown`);
    return translated;
  }
  note('translated_magics', `${original}: \`${name}\` has what the cell prints`);
  note(
    'warnings',
    `\`${name}\` has the printed text of this cell alone: figures and tables are shown, not captured`,
  );
  return captureOutputs(translated, { ...capture, name });
}

function commented(why: string, body: string): string {
  const lines = body.trimEnd() === '' ? [] : body.trimEnd().split('\n');
  return [`# svc: ${why}`, ...lines.map((line) => `# ${line}`.trimEnd())].join('\n');
}

function writeFile(argument: string, body: string): string {
  const append = /^-a\s+|^--append\s+/.test(argument);
  const path = argument.replace(/^(?:-a|--append)\s+/, '').replace(/^(["'])(.*)\1$/, '$2');
  const text = literal(body.endsWith('\n') || body === '' ? body : `${body}\n`);
  return append
    ? `with open(${literal(path)}, "a", encoding="utf-8") as _file:\n    _file.write(${text})`
    : `_ = __import__("pathlib").Path(${literal(path)}).write_text(${text}, encoding="utf-8")`;
}

function translateLines(source: string, context: CellContext): string {
  const env: string[] = [];
  const written: string[] = [];
  let changed = false;
  for (const line of logicalLines(source)) {
    const translated = translateLine(line, { ...context, env });
    changed ||= translated !== line.text;
    if (translated !== null) written.push(translated);
  }
  const text = changed ? withPasses(written.join('\n')) : source;
  const hidden = suppressedDisplayIn(text);
  if (hidden !== null) context.note('suppressed_outputs', hidden.line);
  const body = (hidden?.isExpression ? `${text.trimEnd()}\n# svc: nothing is shown\npass` : text).trim();
  return [...env.map((one) => `# @env ${one}`), ...(body === '' ? [] : [body])].join('\n');
}

type Lines = LineContext & CellContext;

/** The translated statement; null if nothing remains. */
function translateLine({ text, isBlank, bare }: LogicalLine, lines: Lines): string | null {
  if (isBlank) return text;
  if (bare !== '') return translateStatement(text, lines);
  const blanks = /^\s*/.exec(text)?.[0] ?? '';
  const code = text.slice(blanks.length).replace(/\\\n\s*/g, '');
  const shell = /^(?:([\w.,\s[\]'"()*]+?)\s*=\s*)?!{1,2}(.*)$/s.exec(code);
  if (shell !== null) return shellLine({ blanks, target: shell[1], command: (shell[2] ?? '').trim() }, lines);
  const isQuestion = /^\?|\?\s*;?\s*$/.test(code) && !code.startsWith('%');
  const magic = isQuestion ? null : /^(?:([\w.,\s[\]'"()*]+?)\s*=\s*)?%{1,2}\s*(\w+)(.*)$/s.exec(code);
  if (magic !== null && !/^\?{1,2}\s*$/.test(magic[3] ?? '')) {
    const [, target, name = '', argument = ''] = magic;
    return lineMagic({ blanks, target, name, argument: argument.trim() }, lines);
  }
  if (code.includes('?')) {
    lines.note('dropped_magics', code.trim());
    return `${blanks}# svc: ${code.trim()} asked for help`;
  }
  return text;
}

/** Translates a Python statement that uses the kernel, or captured output. */
function translateStatement(text: string, lines: Lines): string | null {
  const use = translatedUse(text, { names: lines.captures, note: lines.note });
  if (use !== null) return use;
  const call = text.includes('get_ipython') ? readKernelCall(text) : null;
  if (call === null) return text;
  const { blanks, target, method, texts } = call;
  const [first = '', second = '', third = ''] = texts;
  if (method === 'system' || method === 'getoutput') {
    lines.note(
      'warnings',
      `\`get_ipython()\` is the Jupyter kernel, which cells here do not have: \`${first.trim()}\` was not run. Run the program with \`subprocess.run(...)\`.`,
    );
    return shellLine({ blanks, target, command: first.trim() }, lines);
  }
  if (method === 'run_cell_magic') {
    const translation = cellMagic({ name: first, argument: second.trim(), body: third }, lines);
    return translation.replace(/^(?=.)/gm, blanks);
  }
  const command = method === 'magic' ? first : `${first} ${second}`;
  const [, name = '', argument = ''] = /^\s*%?\s*(\w+)([\s\S]*)$/.exec(command) ?? [];
  return lineMagic({ blanks, target, name, argument: argument.trim() }, lines);
}

/** Adds `pass` to a block that lost its last statement. */
function withPasses(text: string): string {
  const lines = logicalLines(text);
  return lines
    .map((line, at) => {
      if (line.isBlank || !/:\s*$/.test(line.bare)) return line.text;
      const next = lines.slice(at + 1).find((other) => !other.isBlank);
      if (next !== undefined && next.indent > line.indent) return line.text;
      return `${line.text}\n${' '.repeat(line.indent + 4)}pass`;
    })
    .join('\n');
}
