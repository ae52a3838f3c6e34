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
  const folders = packageFolders(venv).map((folder) => partOf(folder) ?? '');
  return [python, partOf(venvMarkerPath(venv)) ?? '', ...folders].join(' ');
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

function packageFolders(venv: string): readonly string[] {
  if (process.platform === 'win32') return [join(venv, 'Lib', 'site-packages')];
  try {
    const versions = readdirSync(join(venv, 'lib')).filter((name) => name.startsWith('python'));
    return versions.map((name) => join(venv, 'lib', name, 'site-packages'));
  } catch {
    // Without packages only the interpreter counts.
    return [];
  }
}
