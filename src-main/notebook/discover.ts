/** Finds the notebooks below a folder, for the home page and the route `GET /discover`. */

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../lib/atomicFile.ts';
import { NOTEBOOK_FILE } from './file/notebookFile.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { parseNotebookText, readNotebookToml } from './notebookText.ts';
import { NotebookFileError } from './toml/notebookFileError.ts';

/** A notebook found by a scan; fields that its file does not contain are null. Times are ISO UTC. */
export interface FoundNotebook {
  /** The absolute path of its folder. */
  readonly path: string;
  readonly name: string | null;
  readonly notebookId: string | null;
  readonly updatedAt: string | null;
}

/** The limits of `GET /discover` (docs/spec/rest-notebooks.md, 3.3). */
const MAX_DEPTH = 4;
const MAX_FOUND = 500;
const SKIPPED = new Set(['node_modules', '__pycache__', 'venv', 'dist', 'build', 'target']);

/** Whether the folder contains a notebook.toml, readable or not. */
export async function isNotebookFolder(dir: string): Promise<boolean> {
  try {
    return (await stat(join(dir, NOTEBOOK_FILE))).isFile();
  } catch (error) {
    if (isUnreachable(error)) return false;
    throw error;
  }
}

/**
 * The notebooks below a folder, nearest first, then by name: at most 4 levels deep and 500 of them. Hidden and
 * build folders are skipped, links are not followed, notebooks are not entered.
 */
export async function discoverNotebooks(root: string): Promise<readonly FoundNotebook[]> {
  const notebooks: FoundNotebook[] = [];
  let level: readonly string[] = [root];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const dir of level) {
      const entries = await entriesOf(dir);
      if (entries.some((entry) => entry.name === NOTEBOOK_FILE && !entry.isDirectory())) {
        notebooks.push(await describe(dir));
        if (notebooks.length === MAX_FOUND) return notebooks;
      } else below.push(...entries.filter(isEntered).map((entry) => join(dir, entry.name)));
    }
    level = below;
  }
  return notebooks;
}

function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name);
}

/** The entries of a folder, sorted by name; an unreadable folder counts as empty. */
async function entriesOf(dir: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isUnreachable(error)) return [];
    throw error;
  }
}

async function describe(path: string): Promise<FoundNotebook> {
  try {
    const { name, notebookId, updatedAt } = parseNotebookText(
      await readNotebookToml(notebookFolder(path)),
    ).file;
    return { path, name, notebookId, updatedAt };
  } catch (error) {
    // A broken notebook is listed too: opening it shows the problem.
    if (error instanceof NotebookFileError || isUnreachable(error)) {
      return { path, name: null, notebookId: null, updatedAt: null };
    }
    throw error;
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
]);

function isUnreachable(error: unknown): boolean {
  const code = errnoOf(error);
  return code !== null && UNREACHABLE.has(code);
}
