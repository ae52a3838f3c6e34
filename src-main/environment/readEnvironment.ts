/** Reads the state of a notebook's Python environment from its files, without starting a process. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Dependency, Environment } from '../../src-shared/wire/environment.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type ProjectFile, readIfThere, readProjectFile } from './folder/projectFile.ts';
import { lockDigest, resolvedPackages } from './lock/lockDigest.ts';
import { fitsSpecifier, requestedMinor } from './pythonVersion.ts';
import { type RFacts, readRFacts } from './r/rFacts.ts';
import {
  hasInterpreter,
  installedDigest,
  readMarker,
  type VenvMarker,
  venvDir,
  venvPython,
} from './venv/venv.ts';

export interface LockFile {
  /** The hash of the file's bytes. */
  readonly sha256: string;
  /** The digest of what the lock installs; part of a cell's key (docs/spec/provenance-and-cache.md, 1). */
  readonly digest: string;
  readonly text: string;
}

export interface Venv {
  readonly python: string;
  /** The Python version, such as `3.12.1`. */
  readonly version: string;
  /** Null when another program made it. */
  readonly marker: VenvMarker | null;
  /** Made from exactly this project file and lock, and not changed by hand since, so no sync is needed. */
  readonly upToDate: boolean;
  /** The current {@link installedDigest}. */
  readonly installed: string;
}

/** The state of the environment according to the notebook's folder. No process is started to read it. */
export interface EnvironmentFacts {
  readonly project: ProjectFile | null;
  readonly lock: LockFile | null;
  readonly venv: Venv | null;
  readonly r: RFacts;
}

/**
 * Reads the facts of a notebook's folder; takes a few milliseconds, starts no process. After a crash call
 * `recoverEnvironment` first.
 * @throws system errors other than a missing file
 */
export async function readEnvironment(dir: NotebookFolder): Promise<EnvironmentFacts> {
  const [file, lockState, r] = await Promise.all([readProjectFile(dir), readLock(dir), readRFacts(dir)]);
  const { lock, problem } = lockState;
  const project = file === null || problem === null ? file : { ...file, problem: file.problem ?? problem };
  return { project, lock, r, venv: await readVenv(dir, project, lock) };
}

/** A lock that is a link counts as missing, and nothing is installed until the link is gone. */
async function readLock(
  dir: NotebookFolder,
): Promise<{ readonly lock: LockFile | null; readonly problem: string | null }> {
  try {
    const bytes = await readIfThere(placeIn(dir, 'uv.lock'));
    if (bytes === null) return { lock: null, problem: null };
    const text = bytes.toString('utf8');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { lock: { sha256, digest: lockDigest(text), text }, problem: null };
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return { lock: null, problem: error.message };
  }
}

async function readVenv(
  dir: NotebookFolder,
  project: ProjectFile | null,
  lock: LockFile | null,
): Promise<Venv | null> {
  const venv = venvDir(dir);
  if (!(await hasInterpreter(venv))) return null;
  const marker = await readMarker(venv);
  const version = marker?.pythonVersion ?? (await configuredVersion(venv));
  const installed = await installedDigest(venv);
  const upToDate =
    marker !== null &&
    project !== null &&
    marker.pyprojectSha256 === project.sha256 &&
    lock !== null &&
    marker.lockSha256 === lock.sha256 &&
    fitsSpecifier(version, project.requiresPython) &&
    marker.installed === installed;
  return { python: venvPython(venv), version, marker, upToDate, installed };
}

/** The version in an environment's pyvenv.cfg (uv may leave out the patch); '' when it has none. */
export async function configuredVersion(venv: string): Promise<string> {
  const text = (await readIfThere(join(venv, 'pyvenv.cfg')))?.toString('utf8') ?? '';
  return /^version(?:_info)?\s*=\s*(\d+\.\d+(?:\.\d+)?)/m.exec(text)?.[1] ?? '';
}

/** The state that is not in the folder: how the last sync ended and which Python runs the cells. */
export interface EnvironmentStatus {
  readonly syncState: Environment['sync_state'];
  readonly syncError: string | null;
  readonly syncNotice: string | null;
  readonly runsOn: { readonly source: Environment['interpreter_source']; readonly version: string };
}

/** The status of an environment that has not been synced in this process. */
export function statusAtOpen({ venv }: EnvironmentFacts): EnvironmentStatus {
  return {
    syncState: venv?.upToDate ? 'ready' : 'unknown',
    syncError: null,
    syncNotice: venv?.upToDate ? (venv.marker?.notice ?? null) : null,
    runsOn: venv === null ? { source: 'unknown', version: '' } : { source: 'venv', version: venv.version },
  };
}

/** The environment as the API returns it (docs/spec/rest-notebooks.md, 2.5). */
export function environmentOf(facts: EnvironmentFacts, status: EnvironmentStatus): Environment {
  const { project, lock, venv } = facts;
  const runtime = minorOf(status.runsOn.version);
  const declaredCount = project?.dependencies.length ?? 0;
  return {
    requested_python_version: requestedMinor(project?.requiresPython ?? ''),
    runtime_python_version: runtime,
    python_version: runtime,
    lockfile_hash: lock?.digest ?? '',
    package_count: declaredCount,
    declared_package_count: declaredCount,
    resolved_package_count: lock === null ? 0 : resolvedPackages(lock.text).length,
    sync_state: status.syncState,
    sync_error: status.syncError,
    sync_notice: status.syncNotice,
    last_synced_at: venv?.marker?.syncedAt ?? null,
    last_sync_duration_ms: venv?.marker?.durationMs ?? null,
    has_lockfile: lock !== null,
    venv_python: venv?.python ?? null,
    interpreter_source: status.runsOn.source,
  };
}

/** The fields `dependencies` and `resolved_dependencies` of the API (docs/spec/rest-notebooks.md, 2.7). */
export function dependenciesOf({ project, lock }: EnvironmentFacts): {
  readonly dependencies: readonly Dependency[];
  readonly resolved: readonly Dependency[];
} {
  const packages = lock === null ? [] : resolvedPackages(lock.text);
  return {
    dependencies: project?.dependencies ?? [],
    resolved: packages.map(({ name, version }) => ({ name, version, specifier: null })),
  };
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
