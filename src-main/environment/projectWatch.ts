import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';

/** The files an environment is made from. */
export const PROJECT_FILES: readonly string[] = ['pyproject.toml', 'uv.lock'];

/** What is in a notebook's folder, and which of its project files other programs changed. */
export interface ProjectLook {
  readonly facts: EnvironmentFacts;
  /** Those the environment was not made from, and no sync was tried with. Empty where it is missing or not ours. */
  readonly changed: readonly string[];
}

/** Looks whether the project files are those that the environment was made from. */
export interface ProjectWatch {
  /** Costs a look at two files where they are as they were. */
  look(): Promise<ProjectLook>;
  /** A sync was tried with the files that are there now: what it could not install is not tried again. */
  tried(): Promise<void>;
}

export function createProjectWatch(dir: string): ProjectWatch {
  let last: { readonly print: string; readonly look: ProjectLook } | null = null;
  let tried: string | null = null;
  return {
    async look() {
      const print = printOf(dir);
      if (last?.print === print) return last.look;
      const facts = await readEnvironment(dir);
      const look = { facts, changed: tried === triedWith(facts) ? [] : changedFiles(facts) };
      last = { print, look };
      return look;
    },
    async tried() {
      tried = triedWith(await readEnvironment(dir));
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

function triedWith({ project, lock }: EnvironmentFacts): string {
  return `${project?.sha256} ${lock?.sha256}`;
}

function printOf(dir: string): string {
  return PROJECT_FILES.map((name) => {
    const found = statSync(join(dir, name), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino}:${found.mtimeNs}:${found.size}`;
  }).join(' ');
}
