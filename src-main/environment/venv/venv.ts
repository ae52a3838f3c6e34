/**
 * The identity of a notebook's Python environment: its marker file and its digest, for cache keys and warm processes.
 */

import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readIfThere } from '../folder/projectFile.ts';

/** The marker that a finished sync writes in the environment: what it was made from, and when. */
const marker = z.object({
  id: z.string(),
  pyprojectSha256: z.string(),
  lockSha256: z.string().nullable(),
  /** The digest of the packages in the lock; null in a marker of an earlier version. */
  lockDigest: z.string().nullable().default(null),
  pythonVersion: z.string(),
  /** The {@link installedDigest} after the sync, which shows whether the environment was changed by hand since. */
  installed: z.string(),
  /** Epoch milliseconds. */
  syncedAt: z.number(),
  durationMs: z.number(),
  notice: z.string().nullable(),
});
export type VenvMarker = z.infer<typeof marker>;

const MARKER = '.svc-environment.json';

export function venvDir(dir: NotebookFolder): string {
  return join(dir, '.venv');
}

/** The interpreter in an environment folder. Do not resolve its link, or Python does not find its packages. */
export function venvPython(venv: string): string {
  return process.platform === 'win32' ? join(venv, 'Scripts', 'python.exe') : join(venv, 'bin', 'python');
}

export function venvMarkerPath(venv: string): string {
  return join(venv, MARKER);
}

/** The marker of an environment; null when there is none or it is not ours. */
export async function readMarker(venv: string): Promise<VenvMarker | null> {
  const bytes = await readIfThere(venvMarkerPath(venv));
  if (bytes === null) return null;
  try {
    return marker.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // An unreadable marker counts as missing: the next sync writes it again.
    return null;
  }
}

/** Whether an environment with this marker was made from exactly these files. */
export function isMadeFrom(
  venvMarker: VenvMarker | null,
  files: { readonly project: string | null; readonly lock: string | null },
): boolean {
  return (
    venvMarker !== null &&
    venvMarker.pyprojectSha256 === sha256(files.project) &&
    venvMarker.lockSha256 === sha256(files.lock)
  );
}

function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

export async function writeMarker(venv: string, value: VenvMarker): Promise<void> {
  await replaceFile(venvMarkerPath(venv), `${JSON.stringify(value, null, 2)}\n`);
}

/** Whether the environment has an interpreter and the file that it links to still exists. */
export async function hasInterpreter(venv: string): Promise<boolean> {
  return (await realpath(venvPython(venv)).catch(() => null)) !== null;
}

/**
 * A digest of what is installed in an environment: names and times of its packages' metadata folders and path files.
 * Imports and compiled bytecode do not change it; installing, removing or reinstalling a package does.
 */
export async function installedDigest(venv: string): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of await sitePackages(venv)) {
    const names = ((await readdir(folder).catch(nullIfMissing)) ?? [])
      .filter((name) => /\.(dist-info|egg-info|egg-link|pth)$/.test(name))
      .sort();
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
    for (const [index, name] of names.entries()) hash.update(`${name}:${times[index]}\n`);
  }
  return hash.digest('hex');
}

/**
 * Changes when the same cell could behave differently: with another interpreter or another set of packages. Warm
 * processes only serve runs with the same identity.
 */
export async function environmentIdentity(python: string, venv: string | null): Promise<string> {
  const real = await realpath(python);
  const { mtimeMs, size } = await stat(real);
  const installed = venv === null ? '' : await installedDigest(venv);
  // Two consecutive environments may have folders with equal times on a disk that stores whole seconds.
  const id = venv === null ? '' : ((await readMarker(venv))?.id ?? '');
  return createHash('sha256')
    .update(`${python}\n${real}:${mtimeMs}:${size}\n${installed}\n${id}`)
    .digest('hex')
    .slice(0, 32);
}

export async function sitePackages(venv: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [join(venv, 'Lib', 'site-packages')];
  const versions = await readdir(join(venv, 'lib')).catch(() => []);
  return versions
    .filter((name) => name.startsWith('python'))
    .map((name) => join(venv, 'lib', name, 'site-packages'));
}
