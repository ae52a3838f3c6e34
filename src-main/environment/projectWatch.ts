/** Notices when another program changes pyproject.toml or uv.lock of an open notebook. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';

/** The files that an environment is made from. */
export const PROJECT_FILES: readonly string[] = ['pyproject.toml', 'uv.lock'];

/** The state of a notebook's folder, and which of its project files were changed by other programs. */
interface ProjectState {
  readonly facts: EnvironmentFacts;
  /**
   * Files that differ from those of the environment and of the last sync. Empty when the environment is missing or not
   * ours.
   */
  readonly changed: readonly string[];
}

/** Checks whether the project files are still those that the environment was made from. */
interface ProjectWatch {
  /** The current state; only checks two files when they have not changed. */
  look(): Promise<ProjectState>;
  /** Records that a sync was tried with the current files, so that a failed sync is not repeated. */
  tried(): Promise<void>;
}

export function createProjectWatch(dir: NotebookFolder): ProjectWatch {
  let last: { readonly print: string; readonly look: ProjectState } | null = null;
  let triedVersions: string | null = null;
  return {
    async look() {
      const fingerprint = fingerprintOf(dir);
      if (last?.print === fingerprint) return last.look;
      const facts = await readEnvironment(dir);
      const look = { facts, changed: triedVersions === versionsOf(facts) ? [] : changedFiles(facts) };
      last = { print: fingerprint, look };
      return look;
    },
    async tried() {
      triedVersions = versionsOf(await readEnvironment(dir));
      last = null;
    },
  };
}

function changedFiles({ venv, project, lock }: EnvironmentFacts): readonly string[] {
  const marker = venv?.marker ?? null;
  if (marker === null) return [];
  const isSame = [
    marker.pyprojectSha256 === project?.sha256,
    marker.lockSha256 === null || marker.lockSha256 === lock?.sha256,
  ];
  return PROJECT_FILES.filter((_, at) => isSame[at] === false);
}

function versionsOf({ project, lock }: EnvironmentFacts): string {
  return `${project?.sha256} ${lock?.sha256}`;
}

function fingerprintOf(dir: NotebookFolder): string {
  return PROJECT_FILES.map((name) => {
    const info = statSync(join(dir, name), { bigint: true, throwIfNoEntry: false });
    return info === undefined ? '' : `${info.ino}:${info.mtimeNs}:${info.size}`;
  }).join(' ');
}
