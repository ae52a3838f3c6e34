/** Stores deleted cells with their files and results in `.svc`, so that they can be restored. */

import { parse, stringify } from 'smol-toml';
import * as z from 'zod';
import { type CellId, cellId, isCellId } from '../../src-shared/notebook/ids.ts';
import { type Language, language } from '../../src-shared/wire/cell.ts';
import { removeDurably, removeFile } from '../lib/guardedFolder/names.ts';
import { type Place, placeUnder } from '../lib/guardedFolder/place.ts';
import { lstatAt, namesIn } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import { hexStemOf, idOfHexStem } from './file/cellFileNames.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { ownPlace } from './folder/ownPlaces.ts';
import { loadRecord, saveRecord } from './folder/record.ts';
import { isTable, type TomlRecord } from './toml/tomlValue.ts';

/** A deleted cell and the results of its runs, opaque here. */
interface DeletedCellRecord<T> {
  readonly cell: DeletedCell;
  readonly runtime: T;
}

/** Limits for the stored deleted cells; the oldest are removed first. */
const MAX_CELLS = 200;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const keptFile = z.object({
  version: z.literal(1),
  id: z.string().refine(isCellId),
  block: z.string(),
  source: z.string().nullable(),
  tests: z.string().nullable(),
  above: z.array(z.string().refine(isCellId)),
  below: z.array(z.string().refine(isCellId)),
  variant: z
    .object({
      group: z.string(),
      active: z.string(),
      mode: z.enum(['switch', 'sweep']),
      promoted: z.string().nullable(),
    })
    .nullable()
    .default(null),
  runtime: z.unknown(),
});

function folderOf(dir: NotebookFolder): Place {
  return ownPlace(dir, 'deleted');
}

/** The file of a cell. Ids are written by hand and may differ only in case, which some disks ignore. */
function fileOf(dir: NotebookFolder, id: CellId): Place {
  return placeUnder(folderOf(dir), `${hexStemOf(id)}.json`);
}

/**
 * Stores a cell before its files are removed; durable when it resolves. Then removes the oldest cells beyond
 * the limits.
 */
export async function saveDeletedCell(
  dir: NotebookFolder,
  { cell, runtime }: DeletedCellRecord<unknown>,
): Promise<void> {
  const content: z.infer<typeof keptFile> = {
    version: 1,
    id: cell.id,
    block: stringify(cell.block),
    source: cell.source?.toString('base64') ?? null,
    tests: cell.tests?.toString('base64') ?? null,
    above: [...cell.above],
    below: [...cell.below],
    variant: cell.variant,
    runtime,
  };
  await saveRecord(fileOf(dir, cell.id), content, { makesFolder: true });
  prune(dir);
}

/** A deleted cell, or null if no readable record of it exists. */
export async function loadDeletedCell<T>(
  dir: NotebookFolder,
  id: CellId,
  runtime: z.ZodType<T>,
): Promise<DeletedCellRecord<T> | null> {
  // It stays in its place: restoring the cell can be tried again, and only a new deletion replaces it.
  const { value } = await loadRecord(fileOf(dir, id), keptFile.extend({ runtime }), { repairs: false });
  const block = value === null ? null : tomlOf(value.block);
  if (value === null || block === null || value.id !== id) return null;
  const { source, tests, above, below, variant } = value;
  return {
    cell: {
      id,
      block,
      source: source === null ? null : Buffer.from(source, 'base64'),
      tests: tests === null ? null : Buffer.from(tests, 'base64'),
      above: above.map(cellId),
      below: below.map(cellId),
      variant,
    },
    runtime: value.runtime as T, // parsed by the caller's own schema
  };
}

/** The language of a deleted cell; null if no readable record of it exists. */
export async function deletedCellLanguage(dir: NotebookFolder, id: CellId): Promise<Language | null> {
  const record = keptFile.pick({ id: true, block: true });
  // The history of the cell can be read without its record, whatever is wrong with that.
  const { value } = await loadRecord(fileOf(dir, id), record, { repairs: false }).catch(() => ({
    value: null,
  }));
  const block = value === null || value.id !== id ? null : tomlOf(value.block);
  return block === null ? null : (language.safeParse(block['language'] ?? 'python').data ?? null);
}

/** The id in a file that is named by a digest; null if it cannot be read. */
async function idIn(dir: NotebookFolder, stem: string): Promise<string | null> {
  const place = placeUnder(folderOf(dir), `${stem}.json`);
  const loading = loadRecord(place, keptFile.pick({ id: true }), { repairs: false });
  return loading.then(({ value }) => value?.id ?? null).catch(() => null);
}

/** The ids of the stored deleted cells. */
export async function deletedCellIds(dir: NotebookFolder): Promise<ReadonlySet<string>> {
  const stems = listed(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  const ids = await Promise.all(stems.map(async (stem) => idOfHexStem(stem) ?? (await idIn(dir, stem))));
  return new Set(ids.filter((id) => id !== null));
}

/** Deletes the record of a restored cell. */
export async function forgetDeletedCell(dir: NotebookFolder, id: CellId): Promise<void> {
  await removeDurably(fileOf(dir, id));
}

/** The names of the records. A link in the folder's place contains nothing of this notebook. */
function listed(dir: NotebookFolder): readonly string[] {
  try {
    return namesIn(folderOf(dir));
  } catch (error) {
    if (error instanceof PlaceRefusal) return [];
    throw error;
  }
}

function prune(dir: NotebookFolder): void {
  const folder = folderOf(dir);
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  const entries = names.flatMap((name) => {
    const place = placeUnder(folder, name);
    const stats = lstatAt(place);
    return stats === null ? [] : [{ place, mtimeMs: stats.mtimeMs, size: stats.size }];
  });
  let bytes = 0;
  for (const [index, { place, size }] of entries.toSorted((a, b) => b.mtimeMs - a.mtimeMs).entries()) {
    bytes += size;
    // The newest stays at any size, because it is the most likely to be undone.
    if (index > 0 && (index >= MAX_CELLS || bytes > MAX_KEPT_BYTES)) removeFile(place);
  }
}

function tomlOf(text: string): TomlRecord | null {
  try {
    const table: unknown = parse(text);
    return isTable(table) ? table : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'TomlError') return null;
    throw error;
  }
}
