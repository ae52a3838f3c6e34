import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from '../folder/projectFile.ts';

/** The marker a finished sync leaves inside the environment it made: what it was made from, and when. */
const marker = z.object({
  id: z.string(),
  pyprojectSha256: z.string(),
  lockSha256: z.string().nullable(),
  /** Of what the lock installs; null in a marker of an earlier version. */
  lockDigest: z.string().nullable().default(null),
  pythonVersion: z.string(),
  /** Of {@link installedDigest}: an environment changed by hand since is told from one that is as it was made. */
  installed: z.string(),
  /** Epoch milliseconds. */
  syncedAt: z.number(),
  durationMs: z.number(),
  notice: z.string().nullable(),
});
export type VenvMarker = z.infer<typeof marker>;

const MARKER = '.svc-environment.json';

export function venvDir(dir: string): string {
  return join(dir, '.venv');
}

/** The interpreter inside an environment folder. Through its link, never behind it, or its packages are not found. */
export function venvPython(venv: string): string {
  return process.platform === 'win32' ? join(venv, 'Scripts', 'python.exe') : join(venv, 'bin', 'python');
}

export function venvMarkerPath(venv: string): string {
  return join(venv, MARKER);
}

/** Null when there is none or it is not ours. */
export async function readMarker(venv: string): Promise<VenvMarker | null> {
  const bytes = await readIfThere(venvMarkerPath(venv));
  if (bytes === null) return null;
  try {
    return marker.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Unreadable is the same as absent: the next sync writes it anew.
    return null;
  }
}

/** Whether an environment with this marker was made from these very files. */
export function isMadeFrom(
  made: VenvMarker | null,
  files: { readonly project: string | null; readonly lock: string | null },
): boolean {
  return (
    made !== null && made.pyprojectSha256 === sha256(files.project) && made.lockSha256 === sha256(files.lock)
  );
}

function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

export async function writeMarker(venv: string, value: VenvMarker): Promise<void> {
  await replaceFile(venvMarkerPath(venv), `${JSON.stringify(value, null, 2)}\n`);
}

/** True when the environment has an interpreter and the file it links to still exists. */
export async function hasInterpreter(venv: string): Promise<boolean> {
  return (await realpath(venvPython(venv)).catch(() => null)) !== null;
}

/**
 * What is installed in an environment: names and times of its packages' metadata folders and path files. Imports
 * and compiled bytecode leave it alone; installing, removing or reinstalling a package changes it.
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
 * Changes whenever the same cell could behave differently: another interpreter, another set of packages. Warm
 * processes of one identity never serve another.
 */
export async function environmentIdentity(python: string, venv: string | null): Promise<string> {
  const real = await realpath(python);
  const { mtimeMs, size } = await stat(real);
  const installed = venv === null ? '' : await installedDigest(venv);
  // Two environments one after another may have folders of one time, where a disk keeps whole seconds.
  const made = venv === null ? '' : ((await readMarker(venv))?.id ?? '');
  return createHash('sha256')
    .update(`${python}\n${real}:${mtimeMs}:${size}\n${installed}\n${made}`)
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
