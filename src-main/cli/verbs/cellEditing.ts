/** The commands that change cells: `svc cell add`, `edit`, `mv`, `rm` and `annotate`. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { whyNoScalar } from '../../../src-shared/notebook/scalarDirective.ts';
import { spliceDirective } from '../../../src-shared/notebook/spliceDirective.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { cellViewOf } from '../../../src-shared/wire/toCellView.ts';
import { UsageError } from '../arguments.ts';
import { readSourceArgument } from '../place/sourceArgument.ts';
import type { Target } from '../place/target.ts';
import {
  type CommandLine,
  type CommandResult,
  onlyArgument,
  targetCommand,
  textOption,
  textOptions,
} from '../place/targetCommand.ts';
import { cellOf, cellsOf } from './cellReading.ts';
import { runCell } from './cellRunning.ts';

const LANGUAGE_NAMES = Object.keys(LANGUAGES).join(', ');
const NO_ENVIRONMENT = { needsEnvironment: () => false };
const SOURCE_OPTIONS = {
  file: { type: 'string', takes: 'FILE', says: 'Read the source from this file; - is standard input.' },
  source: { type: 'string', short: 'c', takes: 'SOURCE', says: 'The source as text.' },
} as const;

/** `svc cell add TGT (--file F|- | -c SRC)`: adds a cell after another one or at the end, and runs it on request. */
export const cellAdd = targetCommand({
  options: {
    ...SOURCE_OPTIONS,
    after: { type: 'string', takes: 'ID', says: 'Add it after this cell instead of at the end.' },
    language: { type: 'string', default: 'python', takes: 'NAME', says: `${LANGUAGE_NAMES}.` },
    run: { type: 'boolean', default: false, says: 'Also run it.' },
  },
  async prepare(line) {
    if (line.rest.length > 0) throw new UsageError(`unexpected argument \`${line.rest[0]}\``);
    const language = textOption(line.values['language']) ?? '';
    if (!isLanguage(language)) throw new UsageError(`--language must be one of ${LANGUAGE_NAMES}`);
    return {
      source: await newSource(line),
      after: textOption(line.values['after']) ?? null,
      language,
      run: line.values['run'] === true,
      author: textOption(line.values['author']),
    };
  },
  needsEnvironment: ({ run }) => run,
  async run(target, { source, after, run, author, ...what }) {
    const { sid } = target;
    const by = author === undefined ? {} : { author };
    const { id } = await target.call('addCell', {
      params: { sid },
      body: { language: what.language, after_cell_id: after, ...by },
    });
    const params = { sid, cell_id: id };
    const added = await target.call('editCell', { params, body: { source, ...by } }).catch(async (error) => {
      // Do not leave an empty cell if its source could not be written.
      await target.call('deleteCell', { params });
      throw error;
    });
    if (!run) return { answer: cellViewOf(added.cell), human: id };
    const result = await runCell(target, id, 'normal');
    const answer = { ...cellViewOf(await cellOf(target, id)), run: result };
    return { answer, human: `${id} ${result.status}`, code: result.status === 'error' ? 1 : 0 };
  },
});

/** `svc cell edit TGT ID (--file F|- | -c SRC)`: replaces the source. */
export const cellEdit = targetCommand({
  ...NO_ENVIRONMENT,
  usage: 'ID',
  options: SOURCE_OPTIONS,
  prepare: async (line) => ({
    id: onlyArgument(line, 'one cell'),
    source: await newSource(line),
    author: textOption(line.values['author']),
  }),
  run: (target, { id, source, author }) => write(target, id, { source, author }),
});

/** `svc cell annotate TGT ID --set K=V --unset K`: changes lines like `# @timeout 60` that can occur once in a cell. */
export const cellAnnotate = targetCommand({
  ...NO_ENVIRONMENT,
  usage: 'ID',
  options: {
    set: { type: 'string', multiple: true, takes: 'KEY=VALUE', says: 'Set an annotation, as in timeout=60.' },
    unset: { type: 'string', multiple: true, takes: 'KEY', says: 'Remove an annotation.' },
  },
  prepare(line) {
    const set = textOptions(line.values['set']).map(assignment);
    const unset = textOptions(line.values['unset']).map((key) => ({ key, argument: null }));
    if (set.length + unset.length === 0) throw new UsageError('use --set KEY=VALUE or --unset KEY');
    const changes = [...unset, ...set];
    // Checked before a notebook is opened: text that cannot be one line of a cell is wrong use.
    for (const { key, argument } of changes) {
      annotated('', key, argument);
      const why = whyNoScalar(key, argument);
      if (why !== null) throw new UsageError(why);
    }
    return { id: onlyArgument(line, 'one cell'), changes, author: textOption(line.values['author']) };
  },
  async run(target, { id, changes, author }) {
    const { source } = await cellOf(target, id);
    const next = changes.reduce((text, { key, argument }) => annotated(text, key, argument), source);
    return write(target, id, { source: next, author });
  },
});

/** `svc cell rm TGT ID`. */
export const cellRemove = targetCommand({
  ...NO_ENVIRONMENT,
  usage: 'ID',
  options: {},
  prepare: (line) => onlyArgument(line, 'one cell'),
  async run(target, id) {
    await target.call('deleteCell', { params: { sid: target.sid, cell_id: id } });
    return { answer: { removed: id }, human: `Deleted ${id}.` };
  },
});

/** `svc cell mv TGT ID --to N`: moves the cell to index N, starting from 0. */
export const cellMove = targetCommand({
  ...NO_ENVIRONMENT,
  usage: 'ID',
  options: { to: { type: 'string', takes: 'N', says: 'The new position, starting at 0.' } },
  prepare(line) {
    const to = Number(textOption(line.values['to'] ?? 'none'));
    if (!Number.isInteger(to) || to < 0) throw new UsageError('--to must be a position, starting at 0');
    return { id: onlyArgument(line, 'one cell'), to };
  },
  async run(target, { id, to }) {
    await cellOf(target, id);
    const others = (await cellsOf(target)).map((cell) => cell.id).filter((other) => other !== id);
    const body = { cell_ids: others.toSpliced(to, 0, id) };
    const { cells } = await target.call('reorderCells', { params: { sid: target.sid }, body });
    return { answer: cells.map(cellViewOf), human: cells.map((cell) => cell.id).join('\n') };
  },
});

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

async function write(
  target: Target,
  id: string,
  what: { readonly source: string; readonly author: string | undefined },
): Promise<CommandResult> {
  const { source, author } = what;
  const { cell } = await target.call('editCell', {
    params: { sid: target.sid, cell_id: id },
    body: { source, ...(author === undefined ? {} : { author }) },
  });
  return { answer: cellViewOf(cell), human: `${cell.id} ${cell.status}` };
}

async function newSource({ values }: CommandLine): Promise<string> {
  const [file, source] = [textOption(values['file']), textOption(values['source'])];
  if ((file === undefined) === (source === undefined))
    throw new UsageError('give the source with --file FILE, --file - for standard input, or -c SOURCE');
  return source ?? readSourceArgument(file ?? '-');
}

function assignment(text: string): { readonly key: string; readonly argument: string } {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set must be KEY=VALUE, not ${text}`);
  return { key: text.slice(0, at), argument: text.slice(at + 1) };
}

function annotated(source: string, key: string, argument: string | null): string {
  try {
    return spliceDirective(source, key, argument);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(error.message);
  }
}
