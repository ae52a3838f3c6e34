/** The interface of an open notebook's committed files (notebook.toml, cells/), and how they are opened. */

import type { CellId } from '../../src-shared/notebook/ids.ts';
import { sweepTemps } from '../lib/guardedFolder/names.ts';
import { OWN_FOLDER, placeIn } from '../lib/guardedFolder/place.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { isAlive } from '../lib/processMark.ts';
import { type CellSource, loadCells, sourcesOf } from './cellSources.ts';
import type { SettingsEdit } from './edits/notebookEdits.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import type { VariantEdit } from './edits/variantEdits.ts';
import type { CellEntry, NotebookFile } from './file/notebookFile.ts';
import type { CellToAdd, DeleteOptions, NotebookReload, SourceWrite, WriteOptions } from './fileRequests.ts';
import { FilesOnDisk } from './filesOnDisk.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { ownName } from './folder/ownPlaces.ts';
import { parseNotebookText, readNotebookToml } from './notebookText.ts';
import type { FetchedEnv } from './stored/sessionSecrets.ts';

/**
 * The committed files of one opened notebook: notebook.toml and cells/. It owns no runtime state and never
 * touches `.svc/`. Every edit is durable when its promise resolves; edits run one after another. A cell's
 * file is written before notebook.toml names it and removed after its entry in notebook.toml, so a crash
 * leaves at worst an unreferenced file. When notebook.toml was changed externally, an edit is applied to the
 * new text.
 */
export interface NotebookFiles {
  readonly dir: NotebookFolder;
  /**
   * The content of notebook.toml as of the last read or write, with secret env values that are only in this process.
   */
  file(): NotebookFile;
  /** The sources of the cells, in display order. */
  sources(): ReadonlyMap<CellId, CellSource>;
  /**
   * Adds a cell.
   * @throws AppError bad_request (unknown anchor), conflict (the id or its file exists, broken notebook.toml)
   */
  addCell(cell: CellToAdd): Promise<CellEntry>;
  /**
   * Removes the cell, its file and its tests; `keep` is called with the cell before anything is removed, and
   * if it fails, the cell is not deleted. @throws AppError not_found, conflict
   */
  deleteCell(id: CellId, options?: DeleteOptions): Promise<void>;
  /**
   * Restores a deleted cell at its position, byte for byte. @throws AppError conflict (its id or a file is in
   * use)
   */
  restoreCell(deleted: DeletedCell): Promise<CellEntry>;
  /** Renumbers the cells from 0; unknown ids are ignored, unlisted cells keep their order after the listed ones. */
  reorder(ids: readonly CellId[]): Promise<void>;
  rename(name: string): Promise<void>;
  /** Sets the active variant of a group, and whether one variant runs or all. */
  chooseVariant(edit: VariantEdit): Promise<void>;
  /**
   * Writes a source by compare-and-swap: an external change is merged, or the edit is refused; it is never overwritten
   * unseen.
   * @throws AppError not_found, bad_request (invalid text for a cell), conflict (something at the path is not a source)
   */
  writeSource(id: CellId, source: string, options: WriteOptions): Promise<SourceWrite>;
  /**
   * Writes the tests of a cell; blank text deletes them. External changes since `base` (null: the text last read here)
   * are merged.
   * @returns whether there were any
   * @throws as writeSource, and source_changed_on_disk with all the texts
   */
  writeTests(id: CellId, source: string, base: string | null): Promise<boolean>;
  /**
   * Changes keys of the notebook (null) or of a cell, or values of the app's layout alone. @throws AppError not_found,
   * conflict
   */
  configure(id: CellId | null, settings: SettingsEdit): Promise<void>;
  /**
   * Replaces the notebook's variables as shown to a user: masked ones keep their value, fetched ones stay
   * fetched. @throws AppError conflict
   */
  setEnv(variables: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Replaces the usable connections; masked auth keeps its value, literal auth is stored in memory only.
   * @throws AppError bad_request, conflict
   */
  setConnections(connections: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  /** Fills blank variables with values from a secret manager, in memory only. Null removes them again. */
  fill(fetched: FetchedEnv | null): Promise<void>;
  /** Reads everything again. @throws NotebookFileError, and then nothing has changed */
  reload(): Promise<NotebookReload>;
  /**
   * Reads the files at these paths again (relative, with forward slashes; null: all) and applies them. This
   * process's own writes do not count as changes. @throws NotebookFileError, and then nothing has changed
   */
  follow(names: ReadonlySet<string> | null): Promise<NotebookReload>;
  /**
   * Which of these cells' files, and whether notebook.toml, differ from what was last read or written here:
   * the paths for `follow`. One `stat` for each unchanged file.
   */
  changedOutside(ids: Iterable<CellId>): ReadonlySet<string>;
  /** Waits for pending edits; later ones are refused. */
  close(): Promise<void>;
}

/** Folders where a killed write may have left a temporary file. */
const WRITTEN_IN = [
  '.',
  'cells',
  OWN_FOLDER,
  ownName('history'),
  ownName('deleted'),
  ownName('console'),
  ownName('running'),
  ownName('fetch'),
  ownName('environmentFiles'),
];

/**
 * Opens a notebook directory; with `repairs`, which requires its writer lock, leftovers of killed writes are
 * removed. @throws NotebookFileError with the problem of notebook.toml
 */
export async function openNotebookFiles(
  dir: NotebookFolder,
  { repairs = true }: { readonly repairs?: boolean } = {},
): Promise<NotebookFiles> {
  const text = parseNotebookText(await readNotebookToml(dir));
  if (repairs) for (const folder of WRITTEN_IN) sweep(dir, folder);
  return new FilesOnDisk(dir, text, await loadCells(dir, text.file.cells));
}

/** Removes temporary files of killed writes. A link in a folder's place contains nothing of this notebook. */
function sweep(dir: string, folder: string): void {
  try {
    sweepTemps(placeIn(dir, folder), { isDead: (pid) => !isAlive(pid) });
  } catch (error) {
    if (!(error instanceof PlaceRefusal)) throw error;
  }
}

/** Reads a notebook and changes nothing on disk. @throws NotebookFileError */
export async function readNotebook(
  dir: NotebookFolder,
): Promise<{ readonly file: NotebookFile; readonly sources: ReadonlyMap<CellId, CellSource> }> {
  const { file } = parseNotebookText(await readNotebookToml(dir));
  return { file, sources: sourcesOf(await loadCells(dir, file.cells)) };
}
