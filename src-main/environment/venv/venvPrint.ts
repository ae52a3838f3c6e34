import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { venvMarkerPath, venvPython } from './venv.ts';

/**
 * A fingerprint that shows within microseconds that an environment folder has not changed: its marker, its
 * interpreter and the names installed in it. A different fingerprint proves nothing (an import may write bytecode
 * there); then {@link environmentIdentity} decides. Null when there is no interpreter.
 */
export function venvPrint(venv: string): string | null {
  const python = partOf(venvPython(venv));
  if (python === null) return null;
  const base = `${python} ${partOf(venvMarkerPath(venv)) ?? ''}`;
  const folders = packageFolders(venv, base).map((folder) => partOf(folder) ?? '');
  return [base, ...folders].join(' ');
}

function partOf(path: string): string | null {
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    return info === undefined ? null : `${info.dev}:${info.ino}:${info.mtimeMs}:${info.size}`;
  } catch {
    // A file in place of a folder, or an unreadable folder: no interpreter either.
    return null;
  }
}

/** Package folders by environment; they stay the same while interpreter and marker do. */
const cachedFolders = new Map<string, { readonly made: string; readonly folders: readonly string[] }>();
const MAX_CACHED = 100;

function packageFolders(venv: string, base: string): readonly string[] {
  if (process.platform === 'win32') return [join(venv, 'Lib', 'site-packages')];
  const cached = cachedFolders.get(venv);
  if (cached?.made === base) return cached.folders;
  const folders = foldersIn(join(venv, 'lib'));
  // An empty list is not cached, because a folder may be created without a change of the rest.
  if (folders.length > 0) {
    if (cachedFolders.size >= MAX_CACHED) cachedFolders.clear();
    cachedFolders.set(venv, { made: base, folders });
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
