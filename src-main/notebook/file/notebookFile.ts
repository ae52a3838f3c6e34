/** Parses the text of notebook.toml to a complete record of the notebook's settings and cells. */

import { TomlError } from 'smol-toml';
import { type CellId, isCellId, MAX_CELL_ID } from '../../../src-shared/notebook/ids.ts';
import type { AppLayout } from '../../../src-shared/wire/appLayout.ts';
import { type Language, language as languageSchema, type Mount } from '../../../src-shared/wire/cell.ts';
import { NotebookFileError } from '../toml/notebookFileError.ts';
import { isTooDeep, MAX_TOML_DEPTH } from '../toml/tomlDepth.ts';
import { parseToml, type TomlDocument } from '../toml/tomlPatch.ts';
import { readerOf, type TableReader } from '../toml/tomlReader.ts';
import { isTable, type TomlRecord } from '../toml/tomlValue.ts';
import { readApp } from './appBlock.ts';
import { cellPathOf, testFileOf } from './cellFileNames.ts';
import { type Connection, type MalformedConnection, readConnections } from './connectionBlocks.ts';
import { type PlainSettings, readPlainSettings } from './plainSettings.ts';
import { SECRET_MANAGER_KEYS } from './saveRules.ts';

/** One `[[cells]]` entry, complete. `env` and `mounts` are the cell's own, not merged with the notebook's. */
export interface CellEntry {
  readonly id: CellId;
  /** The path relative to the notebook's folder, under `cells/`; notebook.toml may omit that folder. */
  readonly file: string;
  readonly language: Language;
  readonly order: number;
  readonly worker: string | null;
  /** Seconds. */
  readonly timeout: number | null;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

export interface Worker {
  readonly name: string;
  readonly backend: 'local' | 'executor';
  readonly runtime_id: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

interface VariantGroupEntry {
  readonly group: string;
  /** The id of the active variant; empty: the first one in source order. */
  readonly active: string;
  readonly mode: 'switch' | 'sweep';
  /** The value in the file, if it is not a valid mode. */
  readonly invalidMode?: string;
}

/** The `[ai]` table as written: the server decides absent settings. */
type AiSettings = {
  readonly model?: string;
  readonly base_url?: string;
  readonly api_key?: string;
  readonly max_output_tokens?: number;
  readonly timeout_seconds?: number;
  readonly max_context_tokens?: number;
  readonly approval_timeout_seconds?: number;
};

/**
 * The content of a notebook.toml (docs/spec/notebook-file.md, 2 to 4), complete: every default is applied here and
 * nowhere else. Times are ISO UTC text, timeouts seconds. `cells` are in display order (equal orders: the file's).
 * Values inside mounts, workers and connections have the wire's names, because they are sent unchanged.
 */
export interface NotebookFile extends PlainSettings {
  /** The notebook's id, an opaque text. */
  readonly notebookId: string;
  readonly name: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly worker: string | null;
  readonly owner: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The keys of `env` that a secret manager set, with its id; every other key is the user's own. */
  readonly fetchedFrom: Readonly<Record<string, string>>;
  readonly ai: AiSettings;
  readonly secretManager: Readonly<Record<string, string>> | null;
  readonly mounts: readonly Mount[];
  readonly workers: readonly Worker[];
  readonly connections: readonly Connection[];
  readonly malformedConnections: readonly MalformedConnection[];
  readonly catalogs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly variantGroups: readonly VariantGroupEntry[];
  readonly r: Readonly<Record<string, unknown>>;
  /** How the app view is arranged; null if the file does not define it. */
  readonly app: AppLayout | null;
  readonly cells: readonly CellEntry[];
}

export const NOTEBOOK_FILE = 'notebook.toml';
const DEFAULT_NOTEBOOK_NAME = 'Untitled Notebook';

/**
 * Reads a notebook.toml text (a leading BOM is allowed). @throws NotebookFileError naming the line and the
 * problem
 */
export function parseNotebookToml(text: string): NotebookFile {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  return readNotebookDocument({ text: body, document: parseDocument(body) });
}

/**
 * The raw document of a notebook.toml text without BOM. @throws NotebookFileError when it is invalid TOML, or
 * too deep
 */
export function parseDocument(text: string): TomlRecord {
  const document = parsed(text);
  if (isTooDeep(document)) {
    throw new NotebookFileError(`tables are nested more than ${MAX_TOML_DEPTH} levels deep`);
  }
  return document;
}

function parsed(text: string): TomlRecord {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = 'broken'] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new NotebookFileError(`not valid TOML: ${reason}`, { line: error.line });
  }
}

/** The record of a document already parsed; `text` is for line numbers. @throws NotebookFileError */
export function readNotebookDocument({ text, document }: TomlDocument): NotebookFile {
  const root = readerOf(document, text);
  const { connections, malformed } = readConnections(root.table['connections']);
  return {
    notebookId: root.requiredText('notebook_id'),
    name: root.text('name') ?? DEFAULT_NOTEBOOK_NAME,
    createdAt: root.time('created_at'),
    updatedAt: root.time('updated_at'),
    worker: root.text('worker'),
    ...readPlainSettings(root),
    owner: root.text('owner'),
    env: root.texts('env'),
    fetchedFrom: {},
    ai: readAi(root.subtable('ai')),
    secretManager: readSecretManager(root.subtable('secret_manager')),
    mounts: readMounts(root),
    workers: root.tables('workers').map(readWorker),
    connections,
    malformedConnections: malformed,
    catalogs: readCatalogs(root),
    variantGroups: root.tables('variant_group').map(readVariantGroup),
    r: root.json('r'),
    cells: readCells(root),
    app: readApp(root),
  };
}

function readVariantGroup(table: TableReader): VariantGroupEntry {
  const mode = table.table['mode'] ?? 'switch';
  const entry = { group: table.requiredText('group'), active: table.text('active') ?? '' };
  if (mode === 'sweep' || mode === 'switch') return { ...entry, mode };
  return { ...entry, mode: 'switch', invalidMode: String(mode) };
}

function readAi(table: TableReader | null): AiSettings {
  if (table === null) return {};
  return {
    ...textsAt(table, ['model', 'base_url', 'api_key']),
    ...given('max_output_tokens', table.integer('max_output_tokens')),
    ...given('timeout_seconds', table.number('timeout_seconds')),
    ...given('max_context_tokens', table.integer('max_context_tokens')),
    ...given('approval_timeout_seconds', table.number('approval_timeout_seconds')),
  };
}

function given<K extends string>(key: K, value: number | null): { readonly [P in K]?: number } {
  return value === null ? {} : ({ [key]: value } as { readonly [P in K]?: number }); // one key, of this name
}

function readSecretManager(table: TableReader | null): Readonly<Record<string, string>> | null {
  if (table === null) return null;
  const texts = textsAt(table, SECRET_MANAGER_KEYS);
  return Object.keys(texts).length === 0 ? null : texts;
}

function textsAt(table: TableReader, keys: readonly string[]): Readonly<Record<string, string>> {
  const present = keys.map((key) => [key, table.text(key)] as const);
  return Object.fromEntries(present.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** The mounts of a notebook or of one of its cells. @throws NotebookFileError */
export function readMounts(owner: TableReader): readonly Mount[] {
  return owner.tables('mounts').map((table) => {
    const name = table.requiredText('name');
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) table.fail('name', ' must match [a-zA-Z_][a-zA-Z0-9_]*');
    const mode = table.text('mode') ?? 'ro';
    if (mode !== 'ro' && mode !== 'rw') return table.fail('mode', ' must be "ro" or "rw"');
    const options = { ...table.json('options') };
    return {
      name,
      uri: table.requiredText('uri'),
      mode,
      pin: table.text('pin'),
      options,
      credential: table.text('credential'),
    };
  });
}

function readWorker(table: TableReader): Worker {
  const name = table.requiredText('name');
  if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(name))
    table.fail('name', ' must match [a-zA-Z0-9][a-zA-Z0-9._-]*');
  const backend = table.text('backend') ?? 'local';
  if (backend !== 'local' && backend !== 'executor')
    return table.fail('backend', ' must be "local" or "executor"');
  return { name, backend, runtime_id: table.text('runtime_id'), config: table.json('config') };
}

function readCatalogs(root: TableReader): NotebookFile['catalogs'] {
  const catalogs = root.subtable('catalogs');
  if (catalogs === null) return {};
  return Object.fromEntries(Object.keys(catalogs.table).map((name) => [name, catalogs.json(name)]));
}

function readCells(root: TableReader): readonly CellEntry[] {
  const tables = root.tables('cells');
  const cells = tables.map(readCell);
  const ids = new Map<CellId, number>();
  const owners = new Map<string, CellId>();
  const tests = new Map(cells.map((cell) => [testFileOf(cell.id), cell.id]));
  cells.forEach((cell, index) => {
    const table = tables[index] ?? root;
    const twin = ids.get(cell.id);
    if (twin !== undefined) table.fail('id', `: the cell id "${cell.id}" is already that of cells[${twin}]`);
    const owner = owners.get(cell.file);
    if (owner !== undefined) table.fail('file', `: ${cell.file} is already the file of cell "${owner}"`);
    const tested = tests.get(cell.file);
    if (tested !== undefined) table.fail('file', `: ${cell.file} holds the tests of cell "${tested}"`);
    ids.set(cell.id, index);
    owners.set(cell.file, cell.id);
  });
  return cells.toSorted((a, b) => a.order - b.order);
}

/** Entries of tables read before: an edit does not replace the tables it does not write to (`patchToml`). */
const entries = new WeakMap<TomlRecord, CellEntry>();

function readCell(table: TableReader): CellEntry {
  const cached = entries.get(table.table);
  if (cached !== undefined) return cached;
  const entry = readNewCell(table);
  entries.set(table.table, entry);
  return entry;
}

function readNewCell(table: TableReader): CellEntry {
  const id = table.requiredText('id');
  if (!isCellId(id))
    return table.fail(
      'id',
      `: ${JSON.stringify(id)} cannot be a cell id (at most ${MAX_CELL_ID} characters, no control characters)`,
    );
  const written = table.requiredText('file');
  const file = cellPathOf(written);
  const problem = cellFileProblem(file);
  if (problem !== null) table.fail('file', `: ${JSON.stringify(written)} ${problem}`);
  return {
    id,
    file,
    language: readLanguage(table),
    order: table.number('order') ?? 0,
    worker: table.text('worker'),
    timeout: table.number('timeout'),
    env: table.texts('env'),
    mounts: readMounts(table),
    createdBy: table.text('created_by'),
    updatedBy: table.text('updated_by'),
  };
}

function readLanguage(table: TableReader): Language {
  const parsed = languageSchema.safeParse(table.text('language') ?? 'python');
  if (parsed.success) return parsed.data;
  return table.fail('language', ` must be one of ${languageSchema.options.join(', ')}`);
}

/** Cell files stay under cells/: nothing in the file may name another place. */
function cellFileProblem(file: string): string | null {
  const parts = file.split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
  if (/[\\\u0000-\u001f]/.test(file)) return 'contains a character that is not allowed in a cell file name';
  if (parts.includes('..') || parts.includes('.') || parts.includes(''))
    return 'must be a plain path without . or ..';
  return parts[0] === 'cells' && parts.length > 1 ? null : 'is not under cells/';
}

/**
 * The index of a cell in a raw document, -1 if it is no longer listed, for edits of a file that was changed externally.
 */
export function cellIndexIn(document: TomlRecord, id: CellId): number {
  const cells = document['cells'];
  return Array.isArray(cells) ? cells.findIndex((cell: unknown) => isTable(cell) && cell['id'] === id) : -1;
}
