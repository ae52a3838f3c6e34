/** Chooses the interpreter of a notebook's cells at opening and after each change of its packages. */

import type { Environment } from '../../src-shared/wire/environment.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type BoundedText, NO_TEXT } from './boundedText.ts';
import { fitsSpecifier } from './pythonVersion.ts';
import {
  type EnvironmentFacts,
  type EnvironmentStatus,
  environmentOf,
  readEnvironment,
} from './readEnvironment.ts';
import { findPythons, type Python, probePython } from './uv/findPythons.ts';
import { hadEnvironment, recordEnvironment } from './venv/hadEnvironment.ts';
import { environmentIdentity, venvDir } from './venv/venv.ts';

export interface Interpreter {
  readonly path: string;
  /** Changes when the installed packages do; see {@link environmentIdentity}. */
  readonly identity: string;
}

export interface SyncOutcome {
  /**
   * ready: the environment matches the project. fallback: uv or the index cannot be reached, there was never an
   * environment, and cells run on an interpreter of the machine. failed, cancelled: `environment` has the current
   * state.
   */
  readonly kind: 'ready' | 'fallback' | 'failed' | 'cancelled';
  readonly environment: Environment;
  readonly facts: EnvironmentFacts;
  readonly interpreter: Interpreter | null;
  readonly lockfileChanged: boolean;
  /** Null when the job succeeded; `cancelled` when the user stopped it. */
  readonly error: string | null;
  /** False: the environment was up to date and uv was not started. */
  readonly ranUv: boolean;
  readonly durationMs: number;
  readonly log: SyncLog;
}

interface SyncLog {
  readonly stdout: BoundedText;
  readonly stderr: BoundedText;
}
export const NO_LOG: SyncLog = { stdout: NO_TEXT, stderr: NO_TEXT };

/** How the attempt ended; the resulting state is read from the folder. */
export type Attempt =
  | { readonly kind: 'ready'; readonly notice: string | null; readonly ranUv: boolean; readonly log: SyncLog }
  | {
      readonly kind: 'unreachable' | 'failed' | 'cancelled';
      readonly error: string;
      readonly ranUv: boolean;
      readonly log: SyncLog;
    };

/** The newest matching interpreter of this machine, or null. */
export async function fittingPython(
  requiresPython: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Python | null> {
  const pythons = await findPythons(env);
  return pythons.find(({ version }) => fitsSpecifier(version, requiresPython)) ?? null;
}

interface SettleRequest {
  readonly dir: NotebookFolder;
  readonly python: Python | null;
  readonly env?: NodeJS.ProcessEnv;
}

interface Ended {
  readonly attempt: Attempt;
  readonly before: EnvironmentFacts;
  readonly durationMs: number;
}

/** The outcome of an attempt, with the current state of the environment (docs/spec/rest-notebooks.md, 2.5). */
export async function outcomeOfAttempt(
  request: SettleRequest,
  { attempt, before, durationMs }: Ended,
): Promise<SyncOutcome> {
  const facts = await readEnvironment(request.dir);
  const env = request.env ?? process.env;
  const { venv } = facts;
  const isMissing = venv === null && (await hadEnvironment(request.dir));
  if (venv !== null) await recordEnvironment(request.dir);
  const onPath =
    venv === null && !isMissing
      ? (request.python ?? (await fittingPython(facts.project?.requiresPython ?? '', env)))
      : null;
  const usable = onPath === null ? null : await probePython(onPath.path, env);
  const interpreter = await interpreterOf(request.dir, venv?.python ?? null, usable);
  const common = {
    facts,
    interpreter,
    lockfileChanged: facts.lock?.sha256 !== before.lock?.sha256,
    ranUv: attempt.ranUv,
    durationMs,
    log: attempt.log,
  };
  const runsOn: EnvironmentStatus['runsOn'] =
    venv !== null
      ? { source: 'venv', version: venv.version }
      : { source: usable === null ? 'unknown' : 'path', version: usable?.version ?? '' };
  if (attempt.kind === 'ready') {
    const environment = environmentOf(facts, {
      syncState: 'ready',
      syncError: null,
      syncNotice: attempt.notice,
      runsOn,
    });
    return { kind: 'ready', environment, error: null, ...common };
  }
  const fallsBack = attempt.kind === 'unreachable' && venv === null && usable !== null;
  const status: EnvironmentStatus =
    venv !== null
      ? { syncState: 'ready', syncError: null, syncNotice: noticeOf(venv, attempt.error), runsOn }
      : {
          syncState: fallsBack ? 'fallback' : 'failed',
          syncNotice: null,
          runsOn,
          syncError: isMissing
            ? missingMessage(attempt.error)
            : fallbackMessage(attempt.error, usable, facts.project?.requiresPython ?? ''),
        };
  const kind = attempt.kind === 'cancelled' ? 'cancelled' : fallsBack ? 'fallback' : 'failed';
  return { kind, environment: environmentOf(facts, status), error: attempt.error, ...common };
}

/** The current state, without an attempt to change it. */
export interface EnvironmentSnapshot {
  readonly facts: EnvironmentFacts;
  readonly environment: Environment;
  readonly interpreter: Interpreter | null;
}

/** The environment as another program left it: cells run in it, and a missing one is not replaced by another Python. */
export async function presentEnvironment(dir: NotebookFolder): Promise<EnvironmentSnapshot> {
  const facts = await readEnvironment(dir);
  const { venv } = facts;
  const interpreter = await interpreterOf(dir, venv?.python ?? null, null);
  const status: EnvironmentStatus =
    venv === null
      ? {
          syncState: 'failed',
          syncNotice: null,
          runsOn: { source: 'unknown', version: '' },
          syncError: `The environment of this notebook (.venv) is missing or has no Python. ${REPAIR}`,
        }
      : {
          syncState: 'ready',
          syncError: null,
          runsOn: { source: 'venv', version: venv.version },
          syncNotice: venv.upToDate ? (venv.marker?.notice ?? null) : CHANGED,
        };
  return { facts, interpreter, environment: environmentOf(facts, status) };
}

const CHANGED =
  'Another program changed the notebook’s environment (.venv). Cells run with its current packages. Sync to install the packages in uv.lock.';

/** After a failed change that was undone, the environment still matches the lock: only the job reports the failure. */
function noticeOf({ upToDate, marker }: NonNullable<EnvironmentFacts['venv']>, error: string): string | null {
  return upToDate ? (marker?.notice ?? null) : `The last sync failed: ${error}`;
}

/** What to do when the notebook's environment is missing. No other Python replaces it. */
const REPAIR =
  'Repair it (Environment panel, Diagnostics, Repair), or reopen the notebook to rebuild it from the lock file.';

function asSentence(error: string): string {
  return /[.!?…]$/.test(error) ? error : `${error}.`;
}

function missingMessage(error: string): string {
  return `${asSentence(error)} The environment of this notebook (.venv) is missing or has no Python. ${REPAIR}`;
}

function fallbackMessage(error: string, python: Python | null, requiresPython: string): string {
  const text = asSentence(error);
  if (python === null)
    return `${text} No Python on this machine matches ${requiresPython || 'the notebook'}.`;
  return `${text} Cells run on Python ${python.version} (${python.path}) with its installed packages.`;
}

async function interpreterOf(
  dir: NotebookFolder,
  venvPath: string | null,
  onPath: Python | null,
): Promise<Interpreter | null> {
  if (venvPath !== null)
    return { path: venvPath, identity: await environmentIdentity(venvPath, venvDir(dir)) };
  if (onPath !== null) return { path: onPath.path, identity: await environmentIdentity(onPath.path, null) };
  return null;
}
