/**
 * Converts changes of a notebook (add, delete, reorder a cell, change settings) to edits of the text of notebook.toml.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { AppEdit } from '../../../src-shared/wire/appLayout.ts';
import type { Language, Mount } from '../../../src-shared/wire/cell.ts';
import { cellFileOf, writtenCellFile } from '../file/cellFileNames.ts';
import { type CellEntry, cellIndexIn, type NotebookFile, type Worker } from '../file/notebookFile.ts';
import type { PlainSettings } from '../file/plainSettings.ts';
import type { TomlOp } from '../toml/tomlOp.ts';
import { isTable, type TomlRecord, type TomlValue, valueAt, writableValue } from '../toml/tomlValue.ts';
import { appOps } from './appOps.ts';
import { MOUNT_KEYS, unknownKeysOf } from './unknownKeys.ts';

/** The input of an edit: the record and the raw document of the same text. */
export interface NotebookText {
  readonly file: NotebookFile;
  readonly document: TomlRecord;
}

/**
 * Keys of the `[ai]` table to write; null removes one, an absent one does not change. Providers' keys are
 * only written by hand.
 */
export interface AiEdit {
  readonly model?: string | null;
  readonly base_url?: string | null;
  readonly max_output_tokens?: number | null;
  /** Seconds. */
  readonly timeout_seconds?: number | null;
  readonly max_context_tokens?: number | null | undefined;
  /** Seconds. */
  readonly approval_timeout_seconds?: number | null | undefined;
}

/** Keys of the notebook or of a cell to write; null removes the key, an absent one does not change. */
export interface SettingsEdit extends Partial<PlainSettings> {
  readonly worker?: string | null;
  readonly env?: Readonly<Record<string, string>> | null;
  readonly mounts?: readonly Mount[];
  /** For the notebook only. */
  readonly workers?: readonly Worker[];
  readonly ai?: AiEdit;
  readonly secret_manager?: Readonly<Record<string, string>> | null;
  readonly app?: AppEdit;
}

interface NewCell {
  readonly id: CellId;
  readonly afterId: CellId | null;
  readonly language: Language;
  /** The author; null for a client without a name. */
  readonly author: string | null;
  /** Another cell whose own settings are copied. */
  readonly likeId: CellId | null;
}

/** The edits that add a cell. @returns null when the anchor is not in the file */
export function addCellOps(
  { file: notebook, document }: NotebookText,
  cell: NewCell,
): readonly TomlOp[] | null {
  const order = orderAfter(notebook.cells, cell.afterId);
  if (order === null) return null;
  const list = document['cells'];
  const count = Array.isArray(list) ? list.length : 0;
  // After its anchor in the file too: equal orders are shown in the file's order.
  const index = cell.afterId === null ? count : cellIndexIn(document, cell.afterId) + 1;
  const by: Record<string, TomlValue> =
    cell.author === null ? {} : { created_by: cell.author, updated_by: cell.author };
  const { id, language } = cell;
  const like = Array.isArray(list) && cell.likeId !== null ? list[cellIndexIn(document, cell.likeId)] : null;
  const siblings = Array.isArray(list) ? list.map((block) => (isTable(block) ? block['file'] : null)) : [];
  const file = writtenCellFile(cellFileOf(id, language), siblings);
  const value = { id, file, language, order, ...by, ...settingsIn(like) };
  return [{ op: 'insert', path: ['cells'], index, value }];
}

const SETTINGS = ['worker', 'timeout', 'env', 'mounts'] as const;

/** The part of a cell's block that is its own settings, as an edit may write them. */
function settingsIn(block: unknown): Readonly<Record<string, TomlValue>> {
  if (!isTable(block)) return {};
  const keys = SETTINGS.filter((key) => Object.hasOwn(block, key));
  return Object.fromEntries(keys.map((key) => [key, writableValue(block[key])]));
}

/**
 * The order of a cell placed after `afterId` (docs/spec/notebook-file.md, 1): midway to the next one, one more than the
 * last, or the number of cells when there is no anchor. Null for an unknown anchor.
 */
function orderAfter(cells: readonly CellEntry[], afterId: CellId | null): number | null {
  if (afterId === null) return cells.length;
  const index = cells.findIndex((cell) => cell.id === afterId);
  const anchor = cells[index];
  if (anchor === undefined) return null;
  const next = cells[index + 1];
  return next === undefined ? anchor.order + 1 : anchor.order + (next.order - anchor.order) / 2;
}

/** The edits that delete a cell. @returns null when the cell is not in the file */
export function deleteCellOps({ document }: NotebookText, id: CellId): readonly TomlOp[] | null {
  const index = cellIndexIn(document, id);
  return index === -1 ? null : [{ op: 'remove', path: ['cells', index] }];
}

/**
 * The edits that renumber the cells from 0; unknown ids are ignored, unlisted cells follow in their old order
 * (docs/spec/rest-notebooks.md, 5.1).
 */
export function reorderOps({ file, document }: NotebookText, ids: readonly CellId[]): readonly TomlOp[] {
  const cellIds = new Set(file.cells.map((cell) => cell.id));
  const listed = new Set(ids.filter((id) => cellIds.has(id)));
  const order = [...listed, ...file.cells.map((cell) => cell.id).filter((id) => !listed.has(id))];
  return order.map((id, position) => ({
    op: 'set',
    path: ['cells', cellIndexIn(document, id), 'order'],
    value: position,
  }));
}

/** The edits of notebook.toml that change settings of the table at `path`: the notebook itself or a cell. */
export function settingsOps(
  { document }: Pick<NotebookText, 'document'>,
  path: readonly (string | number)[],
  { ai, app, ...settings }: SettingsEdit,
): readonly TomlOp[] {
  if (app !== undefined) return appOps(document, app);
  if (ai !== undefined) {
    return [...aiOps(document, [...path, 'ai'], ai), ...settingsOps({ document }, path, settings)];
  }
  const { mounts, workers, ...plain } = settings;
  const written = {
    ...(mounts === undefined
      ? {}
      : { mounts: mounts.length === 0 ? null : mountTables(mounts, valueAt(document, [...path, 'mounts'])) }),
    ...(workers === undefined ? {} : { workers: workers.length === 0 ? null : workers.map(workerTable) }),
  };
  return keyOps(path, { ...plain, ...written });
}

/** The edits of the `[ai]` table: key by key if it exists, because it may contain a provider's key, and comments. */
function aiOps(
  document: NotebookText['document'],
  path: readonly (string | number)[],
  ai: NonNullable<SettingsEdit['ai']>,
): readonly TomlOp[] {
  if (isTable(valueAt(document, path))) return keyOps(path, ai);
  const entries = Object.entries(ai).filter(([, value]) => value !== null && value !== undefined);
  return entries.length === 0
    ? []
    : [{ op: 'set', path, value: Object.fromEntries(entries) as Record<string, TomlValue> }];
}

function keyOps(path: readonly (string | number)[], values: object): readonly TomlOp[] {
  return Object.entries(values).flatMap(([key, value]: [string, TomlValue | null | undefined]): TomlOp[] => {
    if (value === undefined) return [];
    return [
      value === null ? { op: 'remove', path: [...path, key] } : { op: 'set', path: [...path, key], value },
    ];
  });
}

/** A worker as written to the file: default values are omitted. TOML has no null. */
function workerTable({ name, backend, runtime_id, config }: Worker): Record<string, TomlValue> {
  const entries = Object.entries(config).filter(([, value]) => value !== null && value !== undefined);
  return {
    name,
    ...(backend === 'local' ? {} : { backend }),
    ...(runtime_id === null || runtime_id === '' ? {} : { runtime_id }),
    ...(entries.length === 0 ? {} : { config: writableValue(Object.fromEntries(entries)) }),
  };
}

/** Mounts as written to the file; a mount that the file already has keeps its unknown keys. */
function mountTables(mounts: readonly Mount[], before: unknown): readonly Record<string, TomlValue>[] {
  const blocks = Array.isArray(before) ? before.filter(isTable) : [];
  return mounts.map((mount) => {
    const block = blocks.find(({ name }) => name === mount.name);
    return { ...mountTable(mount), ...unknownKeysOf(block, MOUNT_KEYS) };
  });
}

/** A mount as written to the file: default values are omitted. */
export function mountTable({ name, uri, mode, pin, options, credential }: Mount): Record<string, TomlValue> {
  return {
    name,
    uri,
    ...(mode === 'rw' ? { mode } : {}),
    ...(pin === null ? {} : { pin }),
    ...(credential === null ? {} : { credential }),
    // Plain JSON is valid TOML except for null, which the routes refuse.
    ...(Object.keys(options).length === 0 ? {} : { options: options as Record<string, TomlValue> }),
  };
}

/**
 * The edit that sets the last author of a cell's source if it is a new one; otherwise none, so that the file is not
 * rewritten (docs/spec/notebook-file.md, 4). An edit without an author keeps the last name.
 */
export function authorOps(
  { file, document }: NotebookText,
  id: CellId,
  author: string | null,
): readonly TomlOp[] {
  const cell = file.cells.find((entry) => entry.id === id);
  if (cell === undefined || author === null || cell.updatedBy === author) return [];
  return [{ op: 'set', path: ['cells', cellIndexIn(document, id), 'updated_by'], value: author }];
}

/** Adds the changes that every structural edit makes. */
export function structural(ops: readonly TomlOp[], now: Date): readonly TomlOp[] {
  return ops.length === 0 ? [] : [...ops, { op: 'set', path: ['updated_at'], value: now }];
}
