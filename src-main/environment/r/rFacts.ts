/** Reads the state of a notebook's R environment from its files. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readIfThere } from '../folder/projectFile.ts';
import { parseRLock, type RLock, type RPackage, rLockKey } from './rLock.ts';

/** A library of renv in the notebook's folder, for one minor version of R. */
interface RLibrary {
  /** Absolute. */
  readonly path: string;
  /** The minor version of R, such as `4.2`. */
  readonly minor: string;
  /** Whether it has every package of the lock in the locked version, except renv itself. */
  readonly fits: boolean;
  /** The lock it was filled from; '' when another program filled it and it does not match the current lock. */
  readonly lockHash: string;
  /** Epoch milliseconds. */
  readonly syncedAt: number;
}

/** The state of the R environment according to the notebook's folder. No process is started to read it. */
export interface RFacts {
  /** Null: the notebook has no renv.lock. */
  readonly lock: RLockFile | null;
  /** The libraries, for the newest R first. */
  readonly libraries: readonly RLibrary[];
}

interface RLockFile {
  /** The key of the lock, see {@link rLockKey}. */
  readonly key: string;
  readonly text: string;
  /** Null: it is not a valid renv lockfile. */
  readonly content: RLock | null;
}

const NO_R_FACTS: RFacts = { lock: null, libraries: [] };

/** @throws system errors other than a missing file */
export async function readRFacts(dir: NotebookFolder): Promise<RFacts> {
  const bytes = await readLock(dir);
  if (bytes === null) return NO_R_FACTS;
  const text = bytes.toString('utf8');
  const lock: RLockFile = { key: rLockKey(bytes), text, content: parseRLock(text) };
  const places = await libraryPlaces(dir);
  const libraries = await Promise.all(places.map((place) => readLibrary(place, lock)));
  return {
    lock,
    libraries: libraries.sort((a, b) => b.minor.localeCompare(a.minor, 'en', { numeric: true })),
  };
}

/** A link counts as an invalid lock: nothing is installed from it, and a job reports it. */
async function readLock(dir: NotebookFolder): Promise<Buffer | null> {
  try {
    return await readIfThere(placeIn(dir, 'renv.lock'));
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return Buffer.alloc(0);
  }
}

/** The marker in a library that we filled: the lock, and when. */
const marker = z.object({ lockHash: z.string(), syncedAt: z.number() });
const MARKER = '.svc-environment.json';

export async function writeLibraryMarker(library: string, lockHash: string): Promise<void> {
  const content: z.infer<typeof marker> = { lockHash, syncedAt: Date.now() };
  await replaceFile(placeIn(library, MARKER), JSON.stringify(content));
}

/** The packages installed in a library, by name; hidden folders and renv's locks are not packages. */
export async function packagesIn(library: string): Promise<readonly RPackage[]> {
  const names = await readdir(library).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name) => ({ name, version: await installedVersion(library, name) })),
  );
  return entries
    .flatMap(({ name, version }) => (version === null ? [] : [{ name, version }]))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Locked packages that a library lacks or has in another version. renv itself may differ. */
export async function missingIn(library: string, { packages }: RLock): Promise<readonly string[]> {
  const locked = packages.filter(({ name }) => name !== 'renv');
  const versions = await Promise.all(locked.map(({ name }) => installedVersion(library, name)));
  return locked.flatMap(({ name, version }, index) => (versions[index] === version ? [] : [name]));
}

async function installedVersion(library: string, name: string): Promise<string | null> {
  const text = await readIfThere(join(library, name, 'DESCRIPTION')).catch(() => null);
  return /^Version:\s*(\S+)/m.exec(text?.toString('utf8') ?? '')?.[1] ?? null;
}

interface Place {
  readonly path: string;
  readonly minor: string;
}

/**
 * The libraries of renv, at `renv/library/R-4.2/<platform>`; newer versions of renv have a folder of the system in
 * between.
 */
async function libraryPlaces(dir: NotebookFolder): Promise<readonly Place[]> {
  const root = join(dir, 'renv', 'library');
  const first = await foldersIn(root);
  const nested = await Promise.all(
    first
      .filter((name) => !name.startsWith('R-'))
      .map(async (system) => (await foldersIn(join(root, system))).map((name) => join(system, name))),
  );
  const versions = [...first, ...nested.flat()].flatMap((path) => {
    const minor = /(?:^|[\\/])R-(\d+\.\d+)$/.exec(path)?.[1];
    return minor === undefined ? [] : [{ path: join(root, path), minor }];
  });
  const places = await Promise.all(
    versions.map(async ({ path, minor }) =>
      (await foldersIn(path)).map((platform) => ({ path: join(path, platform), minor })),
    ),
  );
  return places.flat();
}

async function foldersIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch(() => []);
}

async function readLibrary({ path, minor }: Place, lock: RLockFile): Promise<RLibrary> {
  const bytes = await readIfThere(join(path, MARKER)).catch(() => null);
  const content = markerOf(bytes);
  const fits = lock.content !== null && (await missingIn(path, lock.content)).length === 0;
  const modifiedAt = content?.syncedAt ?? (await stat(path).catch(() => null))?.mtimeMs ?? 0;
  return {
    path,
    minor,
    fits,
    lockHash: content?.lockHash ?? (fits ? lock.key : ''),
    syncedAt: Math.round(modifiedAt),
  };
}

function markerOf(bytes: Buffer | null): z.infer<typeof marker> | null {
  if (bytes === null) return null;
  try {
    return marker.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // An unreadable marker counts as missing: the next restore writes it again.
    return null;
  }
}
