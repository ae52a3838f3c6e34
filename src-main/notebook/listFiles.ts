/** Lists the files of a notebook's folder for the Files panel. */

import type { Dirent } from 'node:fs';
import { extname } from 'node:path';
import { errnoOf, isTempName } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { listFolder, lstatAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

type FileKind = 'cell' | 'data' | 'config' | 'other';

/** A plain file of a notebook's folder. */
interface NotebookFolderFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  readonly modifiedMs: number;
}

const MAX_DEPTH = 8;
const MAX_FILES = 2_000;
/** Folders of generated files: environments, caches, builds. */
const SKIPPED = new Set(['node_modules', '__pycache__', 'venv', 'renv', 'dist', 'build', 'target']);
const CONFIG = new Set(['notebook.toml', 'pyproject.toml', 'uv.lock', 'renv.lock', 'requirements.txt']);
const DATA = new Set(
  '.csv .tsv .json .jsonl .ndjson .parquet .arrow .feather .ipc .xlsx .xls .ods .db .sqlite .sqlite3 .duckdb .h5 .hdf5 .nc .npy .npz .zarr .geojson .gpkg .xml .gz .zip .zst .png .jpg .jpeg .tif .tiff .wav .mp3'.split(
    ' ',
  ),
);

function fileKindOf(path: string): FileKind {
  if (path.startsWith('cells/')) return 'cell';
  if (CONFIG.has(path)) return 'config';
  if (path.startsWith('data/') || DATA.has(extname(path).toLowerCase())) return 'data';
  return 'other';
}

/**
 * The files of a notebook's folder, folder by folder, by name: at most 2,000, eight levels deep. Hidden
 * files, environments and builds are skipped; links are not followed. @returns `truncated` when there are
 * more
 */
export async function listFiles(
  dir: NotebookFolder,
): Promise<{ readonly files: readonly NotebookFolderFile[]; readonly truncated: boolean }> {
  const files: NotebookFolderFile[] = [];
  let truncated = false;
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const entry of entriesOf(dir, folder)) {
      if (entry.name.startsWith('.') || isTempName(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (SKIPPED.has(entry.name)) continue;
        if (depth === MAX_DEPTH) truncated = true;
        else await visit(path, depth + 1);
      } else if (entry.isFile()) {
        if (files.length === MAX_FILES) {
          truncated = true;
          return;
        }
        const stats = lstatAt(placeIn(dir, path));
        if (stats === null) continue;
        files.push({ path, kind: fileKindOf(path), size: stats.size, modifiedMs: stats.mtimeMs });
      }
    }
  };
  await visit('', 1);
  return { files, truncated };
}

/** The entries of a folder: files before folders, each by name; an unreadable folder counts as empty. */
function entriesOf(dir: NotebookFolder, folder: string): readonly Dirent[] {
  try {
    return listFolder(placeIn(dir, folder)).toSorted(
      (a, b) => Number(a.isDirectory()) - Number(b.isDirectory()) || (a.name < b.name ? -1 : 1),
    );
  } catch (error) {
    const code = errnoOf(error);
    if (error instanceof PlaceRefusal || code === 'EACCES' || code === 'EPERM') return [];
    throw error;
  }
}
