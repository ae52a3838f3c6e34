import { readdirSync, statSync } from 'node:fs';
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
  const made = `${python} ${partOf(venvMarkerPath(venv)) ?? ''}`;
  const folders = packageFolders(venv, made).map((folder) => partOf(folder) ?? '');
  return [made, ...folders].join(' ');
}

function partOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}:${found.mtimeMs}:${found.size}`;
  } catch {
    // A file where a folder should be, a folder nobody may look into: nothing can run from there either.
    return null;
  }
}

/** By environment: which folder is its interpreter's own does not change while that and the marker are the same. */
const listed = new Map<string, { readonly made: string; readonly folders: readonly string[] }>();
const MOST_LISTED = 100;

function packageFolders(venv: string, made: string): readonly string[] {
  if (process.platform === 'win32') return [join(venv, 'Lib', 'site-packages')];
  const known = listed.get(venv);
  if (known?.made === made) return known.folders;
  const folders = foldersIn(join(venv, 'lib'));
  // Where there is none yet, one may come without anything else telling.
  if (folders.length > 0) {
    if (listed.size >= MOST_LISTED) listed.clear();
    listed.set(venv, { made, folders });
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
