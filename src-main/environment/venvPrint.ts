import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { venvMarkerPath, venvPython } from './venv.ts';

/**
 * What tells, in a few microseconds, that an environment folder is as it was a moment ago: its marker, its
 * interpreter and the names installed in it. Another print proves nothing (an import may write bytecode there);
 * {@link environmentIdentity} then says whether anything changed. Null where nothing can run.
 */
export function venvPrint(venv: string): string | null {
  const python = partOf(venvPython(venv));
  if (python === null) return null;
  const folders = packageFolders(venv).map((folder) => partOf(folder) ?? '');
  return [python, partOf(venvMarkerPath(venv)) ?? '', ...folders].join(' ');
}

function partOf(path: string): string | null {
  const found = stats(path);
  return found === null ? null : markOf(found);
}

function markOf({ dev, ino, mtimeMs, size }: Stats): string {
  return `${dev}:${ino}:${mtimeMs}:${size}`;
}

function stats(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A file where a folder should be, a folder nobody may look into: nothing can run from there either.
    return null;
  }
}

/** What was listed last of a folder `lib`: it is the same while the folder has this mark and is not brand new. */
const listed = new Map<string, { readonly mark: string; readonly folders: readonly string[] }>();
/** A folder changed so shortly ago may change again without its time telling. */
const COARSE_MS = 50;
const MOST_LISTED = 100;

function packageFolders(venv: string): readonly string[] {
  if (process.platform === 'win32') return [join(venv, 'Lib', 'site-packages')];
  const lib = join(venv, 'lib');
  const found = stats(lib);
  if (found === null) return [];
  const mark = markOf(found);
  const known = listed.get(lib);
  if (known?.mark === mark) return known.folders;
  const folders = foldersIn(lib);
  if (Date.now() - Math.max(found.mtimeMs, found.ctimeMs) > COARSE_MS) {
    if (listed.size >= MOST_LISTED) listed.clear();
    listed.set(lib, { mark, folders });
  }
  return folders;
}

function foldersIn(lib: string): readonly string[] {
  try {
    const versions = readdirSync(lib).filter((name) => name.startsWith('python'));
    return versions.map((name) => join(lib, name, 'site-packages'));
  } catch {
    // Without packages only the interpreter counts.
    return [];
  }
}
