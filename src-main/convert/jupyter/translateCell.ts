import type { Note } from './findings.ts';
import { readInstall } from './installs.ts';
import { type LogicalLine, logicalLines } from './logicalLines.ts';

const REMOVED = new Set(
  `matplotlib load_ext reload_ext autoreload config colors rerun capture xmode pdb debug tb who who_ls whos lsmagic
  magic history alias alias_magic`.split(/\s+/),
);
const SHELLS = new Set(['bash', 'sh', 'script']);
const TIMED = new Set(['timeit', 'time', 'capture']);

/** A code cell of Jupyter as a cell of Python: what only IPython understands is translated, or kept as a comment. */
export function translateCell(source: string, note: Note): string {
  const magic = /^%%(\w+)[ \t]*([^\n]*)\n?([\s\S]*)$/.exec(source);
  if (magic !== null)
    return cellMagic({ name: magic[1] ?? '', argument: (magic[2] ?? '').trim(), body: magic[3] ?? '' }, note);
  return translateLines(source, note);
}

function cellMagic(
  { name, argument, body }: { readonly name: string; readonly argument: string; readonly body: string },
  note: Note,
): string {
  const said = `%%${name}${argument === '' ? '' : ` ${argument}`}`;
  if (TIMED.has(name)) {
    note('translated_magics', `${said}: its body is the cell`);
    return translateCell(body.trim(), note);
  }
  if (SHELLS.has(name)) {
    note('dropped_shells', said);
    return commented(`${said} was not run`, body);
  }
  if ((name === 'writefile' || name === 'file') && argument !== '') {
    note('translated_magics', said);
    return writeFile(argument, body);
  }
  note('dropped_magics', said);
  return commented(`${said} has no counterpart`, body);
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

/** A string of Python: JSON’s is one, but for halves of surrogate pairs, which no cell can hold either. */
function literal(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

function translateLines(source: string, note: Note): string {
  const env: string[] = [];
  const written: string[] = [];
  let changed = false;
  for (const line of logicalLines(source)) {
    const translated = translateLine(line, { note, env });
    changed ||= translated !== line.text;
    if (translated !== null) written.push(translated);
  }
  const text = changed ? withPasses(written.join('\n')) : source;
  const shown = withoutLastDisplay(text, note).trim();
  return [...env.map((one) => `# @env ${one}`), ...(shown === '' ? [] : [shown])].join('\n');
}

interface Lines {
  readonly note: Note;
  /** `K=V` for the top of the cell. */
  readonly env: string[];
}

/** The statement as it is to be written; null where nothing of it stays. */
function translateLine({ text, isBlank, bare }: LogicalLine, lines: Lines): string | null {
  if (isBlank || bare !== '') return text;
  const blanks = /^\s*/.exec(text)?.[0] ?? '';
  const code = text.slice(blanks.length).replace(/\\\n\s*/g, '');
  const shell = /^(?:([\w.,\s[\]'"()*]+?)\s*=\s*)?!{1,2}(.*)$/s.exec(code);
  if (shell !== null) return shellLine({ blanks, target: shell[1], command: (shell[2] ?? '').trim() }, lines);
  const magic = /^(?:([\w.,\s[\]'"()*]+?)\s*=\s*)?%{1,2}(\w+)[ \t]*(.*)$/s.exec(code);
  if (magic !== null) {
    const [, target, name = '', argument = ''] = magic;
    return lineMagic({ blanks, target, name, argument: argument.trim() }, lines);
  }
  if (/^\?{1,2}[\w.]+$|^[\w.]+\?{1,2}$/.test(code.trim())) {
    lines.note('dropped_magics', code.trim());
    return `${blanks}# svc: ${code.trim()} asked for help`;
  }
  return text;
}

interface Command {
  readonly blanks: string;
  /** What the result would have been given to. */
  readonly target: string | undefined;
}

function shellLine(
  { blanks, target, command }: Command & { readonly command: string },
  { note }: Lines,
): string {
  const install = readInstall(command);
  if (install !== null) return captured({ blanks, said: `!${command}`, install }, note);
  note('dropped_shells', `!${command}`);
  const marker = `${blanks}# svc: not run: !${command}`;
  return target === undefined ? marker : `${marker}\n${blanks}${target} = []`;
}

function captured(
  {
    blanks,
    said,
    install,
  }: {
    readonly blanks: string;
    readonly said: string;
    readonly install: NonNullable<ReturnType<typeof readInstall>>;
  },
  note: Note,
): string {
  for (const name of install.packages) note('captured_deps', name);
  for (const rest of install.rest)
    note('warnings', `${said}: \`${rest}\` was not read; add its packages by hand`);
  return `${blanks}# svc: packages of the notebook: ${said}`;
}

function lineMagic(
  { blanks, target, name, argument }: Command & { readonly name: string; readonly argument: string },
  { note, env }: Lines,
): string | null {
  const said = `%${name}${argument === '' ? '' : ` ${argument}`}`;
  const assigned = target === undefined ? '' : `\n${blanks}${target} = None`;
  if (target === undefined && REMOVED.has(name)) {
    note('translated_magics', `${said}: removed`);
    return null;
  }
  if (name === 'timeit' || name === 'time') {
    const body = argument.replace(/^(?:-[nrtcpqo]+\s*\d*\s+)*/, '');
    note('translated_magics', `${said}: the statement stays`);
    if (body === '') return null;
    return `${blanks}${target === undefined ? '' : `${target} = `}${body}`;
  }
  if (name === 'pip' || name === 'conda' || name === 'mamba') {
    const install = readInstall(`${name} ${argument}`);
    if (install !== null) return captured({ blanks, said, install }, note);
  }
  if ((name === 'env' || name === 'set_env') && /^[A-Za-z_]\w*\s*=/.test(argument)) {
    const at = argument.indexOf('=');
    env.push(`${argument.slice(0, at).trim()}=${argument.slice(at + 1).trim()}`);
    note('translated_magics', `%${name} ${argument.slice(0, at).trim()}=…: an @env line`);
    return null;
  }
  if (name === 'run' && argument !== '') {
    const [file = '', ...more] = argument.replace(/^(?:-[a-z]+\s+)*/, '').split(/\s+/);
    note('translated_magics', said);
    if (more.length > 0) note('warnings', `${said}: its arguments were left out`);
    const path = literal(file.replace(/^(["'])(.*)\1$/, '$2'));
    return `${blanks}exec(compile(open(${path}, encoding="utf-8").read(), ${path}, "exec"))`;
  }
  note('dropped_magics', said);
  return `${blanks}# svc: ${said} has no counterpart${assigned}`;
}

/** A block that lost its last statement gets `pass`. */
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

const STATEMENT =
  /^(?:import|from|def|class|return|for|while|if|elif|else|with|try|except|finally|del|assert|raise|pass|global|nonlocal|break|continue|async|type|@)\b|^@/;

/** Jupyter shows nothing of a last statement that ends with `;`: an expression gets a statement after it. */
function withoutLastDisplay(text: string, note: Note): string {
  const last = logicalLines(text).findLast((line) => !line.isBlank);
  const bare = last?.bare.trim() ?? '';
  if (last === undefined || last.indent > 0 || !bare.endsWith(';')) return text;
  note('suppressed_outputs', text.trimEnd().split('\n').at(-1)?.trim() ?? '');
  const statement = bare.replace(/;+$/, '').split(';').at(-1)?.trim() ?? '';
  const isExpression = statement !== '' && !STATEMENT.test(statement) && !assigns(statement);
  return isExpression ? `${text.trimEnd()}\n# svc: nothing is shown\npass` : text;
}

/** Whether a `=` stands outside of brackets that is no comparison. */
function assigns(bare: string): boolean {
  let depth = 0;
  for (let at = 0; at < bare.length; at += 1) {
    const char = bare[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === '=' && depth === 0) {
      if (bare[at + 1] === '=') at += 1;
      else if (!'<>!'.includes(bare[at - 1] ?? ' ') || /(?:<<|>>)$/.test(bare.slice(0, at))) return true;
    }
  }
  return false;
}
