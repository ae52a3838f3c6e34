/** The kinds of jobs on a notebook's environment (add, remove, sync, …), and what each edits and runs. */

import { type Requirement, requirementText } from '../../src-shared/notebook/requirement.ts';
import type { EnvironmentJob } from '../../src-shared/wire/environment.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { changeProject } from './changeProject.ts';
import { parseLock } from './lock/lockText.ts';
import type { ProjectEdit } from './project/projectEdit.ts';
import { removedStorePackages, storeRequirements } from './project/storePackages.ts';
import type { RWork } from './r/rWork.ts';
import { readEnvironment } from './readEnvironment.ts';
import type { SyncOutcome } from './settleEnvironment.ts';
import { type SyncRequest, syncEnvironment } from './syncEnvironment.ts';
import { recoverEnvironment } from './syncMarker.ts';

/** What a job does to a notebook's environment (docs/spec/rest-notebooks.md, 6, 2.6). */
export type EnvironmentWork =
  /** `isRequested`: requested by the user, so an old lock is updated; otherwise it is installed unchanged. */
  | { readonly action: 'sync'; readonly isRequested: boolean }
  /** `dev`: for work on the notebook; does not affect the keys of cells. */
  | { readonly action: 'add'; readonly requirements: readonly string[]; readonly dev: boolean }
  | { readonly action: 'remove'; readonly name: string }
  | {
      readonly action: 'import';
      readonly requirements: readonly Requirement[];
      /** What was left out of the file, a sentence each. */
      readonly warnings: readonly string[];
    }
  | { readonly action: 'change_python'; readonly minor: string }
  /** Rebuilds the environment from the lock, whatever its state. */
  | { readonly action: 'repair' }
  /** Installs and builds the packages of an import that waited for permission. */
  | { readonly action: 'allow' }
  /** Restores the files from before a job. */
  | { readonly action: 'restore'; readonly project: string; readonly lock: string; readonly before: string }
  | RequestedRWork;

/** Work on R that a user can request; restoring R's library is part of a sync. */
export type RequestedRWork = Exclude<RWork, { readonly action: 'r_restore' }>;

export function isRWork(work: EnvironmentWork): work is RequestedRWork {
  return work.action === 'r_init' || work.action === 'r_add';
}

/** How a job is shown: its action, command and package. */
export function shownWork(work: EnvironmentWork): Pick<EnvironmentJob, 'action' | 'command' | 'package'> {
  switch (work.action) {
    case 'sync':
      return { action: 'sync', command: 'uv sync', package: null };
    case 'add': {
      const flags = work.dev ? ' --dev' : '';
      const all = work.requirements.join(' ');
      return { action: 'add', command: `uv add${flags} ${all}`, package: work.requirements.join(', ') };
    }
    case 'remove':
      return { action: 'remove', command: `uv remove ${work.name}`, package: work.name };
    case 'import':
      return { action: 'import', command: 'uv sync', package: null };
    case 'change_python':
      return { action: 'change_python', command: `uv sync --python ${work.minor}`, package: null };
    case 'repair':
      return { action: 'sync', command: 'uv sync (full rebuild)', package: null };
    case 'allow':
      return { action: 'sync', command: 'uv sync (with approved packages)', package: null };
    case 'restore':
      return { action: 'sync', command: `uv sync (revert ${work.before})`, package: null };
    case 'r_init':
      return { action: 'r_init', command: 'Rscript -e renv::init()', package: null };
    case 'r_add':
      return {
        action: 'r_add',
        command: `Rscript -e 'renv::install("${work.package}")'`,
        package: work.package,
      };
  }
}

/** Does the work with uv. The files and the environment change together, or not at all. */
export async function doWork(
  work: Exclude<EnvironmentWork, RequestedRWork>,
  request: Omit<SyncRequest, 'lock' | 'force'>,
): Promise<SyncOutcome> {
  const edit = editOf(work);
  if (edit !== null) return changeProject({ ...request, edit });
  if (work.action === 'repair')
    return syncEnvironment({ ...request, lock: await lockForRepair(request.dir), force: true });
  const isRequested = work.action === 'sync' && work.isRequested;
  if (isRequested && (await hasDropped(request.dir)))
    return changeProject({ ...request, edit: { kind: 'keep' } });
  return syncEnvironment(isRequested ? { ...request, lock: 'update', force: true } : request);
}

/** Whether someone edited the project file and removed a package that results are stored with. */
async function hasDropped(dir: NotebookFolder): Promise<boolean> {
  await recoverEnvironment(dir);
  const { project, lock } = await readEnvironment(dir);
  if (project === null || project.problem !== null) return false;
  return removedStorePackages(project, storeRequirements(project, lock?.text ?? null)).length > 0;
}

/** An unreadable lock cannot be installed, so it is resolved again. */
async function lockForRepair(dir: NotebookFolder): Promise<'keep' | 'update'> {
  await recoverEnvironment(dir);
  const { lock } = await readEnvironment(dir);
  return lock !== null && parseLock(lock.text) === null ? 'update' : 'keep';
}

/** The edit of the project file that the work needs; null: none. */
export function editOf(work: EnvironmentWork): ProjectEdit | null {
  switch (work.action) {
    case 'sync':
    case 'r_init':
    case 'r_add':
    case 'repair':
    case 'allow':
      return null;
    case 'add':
      return { kind: 'add', requirements: work.requirements, dev: work.dev };
    case 'remove':
      return { kind: 'remove', name: work.name };
    case 'import':
      return { kind: 'replace', requirements: work.requirements.map(requirementText) };
    case 'change_python':
      return { kind: 'python', minor: work.minor };
    case 'restore':
      return { kind: 'restore', project: work.project, lock: work.lock };
  }
}
