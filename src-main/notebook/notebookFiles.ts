import type { CellId } from '../../src-shared/notebook/ids.ts';
import { sweepTemps } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { isAlive } from '../lib/processMark.ts';
import { type CellSource, loadCells, sourcesOf } from './cellSources.ts';
import type { Settings } from './edits/notebookEdits.ts';
import type { VariantEdit } from './edits/variantEdits.ts';
import type { CellEntry, NotebookFile } from './file/notebookFile.ts';
import type { CellToAdd, DeleteOptions, NotebookReload, SourceWrite, WriteOptions } from './fileRequests.ts';
import { FilesOnDisk } from './filesOnDisk.ts';
import type { FetchedEnv } from './kept/sessionSecrets.ts';
import type { DeletedCell } from './keptCell.ts';
import { parseNotebookText, readNotebookToml } from './notebookText.ts';

/**
 * The committed files of one opened notebook: notebook.toml and cells/. It owns no runtime state and never touches
 * `.svc/`. Every edit is durable when its promise resolves; edits run one after another. A cell's file is
 * written before notebook.toml names it and removed after notebook.toml forgets it, so a crash leaves at worst a
 * file nobody refers to. When notebook.toml was changed by somebody else, an edit is applied to the new text.
 */
export interface NotebookFiles {
  readonly dir: string;
  /** As of the last read or write, with secret env values that only this process knows. */
  file(): NotebookFile;
  /** In display order. */
  sources(): ReadonlyMap<CellId, CellSource>;
  /** @throws AppError bad_request (unknown anchor), conflict (the id or its file exists, broken notebook.toml) */
  addCell(cell: CellToAdd): Promise<CellEntry>;
  /**
   * Removes the cell, its file and its tests; `keep` gets what it was before anything goes, and its failure keeps
   * the cell. @throws AppError not_found, conflict
   */
  deleteCell(id: CellId, options?: DeleteOptions): Promise<void>;
  /** Puts a deleted cell back at its place, byte for byte. @throws AppError conflict (its id or a file is taken) */
  restoreCell(deleted: DeletedCell): Promise<CellEntry>;
  /** Renumbers from 0; unknown ids are ignored, unlisted cells keep their order after the listed ones. */
  reorder(ids: readonly CellId[]): Promise<void>;
  rename(name: string): Promise<void>;
  /** Which variant of a group is active, and whether one of them runs or all. */
  chooseVariant(edit: VariantEdit): Promise<void>;
  /**
   * By compare-and-swap: what somebody else wrote into the file is merged with or refused with, never written over
   * unseen. @throws AppError not_found, bad_request (no text a cell can hold), conflict (what is there is no source)
   */
  writeSource(id: CellId, source: string, options: WriteOptions): Promise<SourceWrite>;
  /**
   * Blank text deletes the tests. What the file holds that `base` (null: what was last read here) does not is merged
   * with. @returns whether it was. @throws as writeSource, and source_changed_on_disk with all the texts
   */
  writeTests(id: CellId, source: string, base: string | null): Promise<boolean>;
  /** Changes keys of the notebook (null) or of a cell. @throws AppError not_found, conflict */
  configure(id: CellId | null, settings: Settings): Promise<void>;
  /**
   * Replaces the notebook's variables as a person sees them: masked ones keep their value, fetched ones stay
   * fetched. @throws AppError conflict
   */
  setEnv(wanted: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Replaces the connections that can be used; masked auth keeps its value, text of auth is kept in memory alone.
   * @throws AppError bad_request, conflict
   */
  setConnections(wanted: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  /** Fills what the variables leave open with what a secret manager gave; on no disk. Null takes it away again. */
  fill(fetched: FetchedEnv | null): Promise<void>;
  /** Reads everything again. @throws NotebookFileError, and then nothing has changed */
  reload(): Promise<NotebookReload>;
  /**
   * Reads again what these paths name (relative, with forward slashes; null: everything) and takes it in.
   * What this process wrote itself is no change. @throws NotebookFileError, and then nothing has changed
   */
  follow(names: ReadonlySet<string> | null): Promise<NotebookReload>;
  /**
   * Which of these cells' files, and whether notebook.toml, hold something else than what was last read or written
   * here: the paths to `follow`. One `stat` for each file that did not change.
   */
  changedOutside(ids: Iterable<CellId>): ReadonlySet<string>;
  /** Waits for edits under way; later ones are refused. */
  close(): Promise<void>;
}

/** Where a killed write may have left half a file beside the one it was to replace. */
const WRITTEN_IN = [
  '.',
  'cells',
  '.svc',
  '.svc/history',
  '.svc/deleted',
  '.svc/console',
  '.svc/running',
  '.svc/fetch',
  '.svc/environment_files',
];

/**
 * Opens a notebook directory, under its writer lock where it `repairs`. `repairs`: what killed writes left beside the files is removed.
 * @throws NotebookFileError naming what is wrong with notebook.toml
 */
export async function openNotebookFiles(
  dir: string,
  { repairs = true }: { readonly repairs?: boolean } = {},
): Promise<NotebookFiles> {
  const text = parseNotebookText(await readNotebookToml(dir));
  if (repairs) for (const folder of WRITTEN_IN) sweep(dir, folder);
  return new FilesOnDisk(dir, text, await loadCells(dir, text.file.cells));
}

/** A link in a folder's place holds nothing of this notebook. */
function sweep(dir: string, folder: string): void {
  try {
    sweepTemps(placeIn(dir, folder), { isDead: (pid) => !isAlive(pid) });
  } catch (error) {
    if (!(error instanceof PlaceRefusal)) throw error;
  }
}

/** Reads a notebook and changes nothing on disk. @throws NotebookFileError */
export async function readNotebook(
  dir: string,
): Promise<{ readonly file: NotebookFile; readonly sources: ReadonlyMap<CellId, CellSource> }> {
  const { file } = parseNotebookText(await readNotebookToml(dir));
  return { file, sources: sourcesOf(await loadCells(dir, file.cells)) };
}
