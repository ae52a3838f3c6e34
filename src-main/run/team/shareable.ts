/**
 * Decides whether a result may be shared with a team. On another machine only the key and the facts of a run
 * are known, so the facts must be complete and checkable by digest (docs/soundness.md).
 */

import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { isSecretName } from '../../notebook/file/saveRules.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Observation } from '../observed/observation.ts';
import { pathsOf } from '../observed/pathState.ts';
import { isRemoteWorker } from '../onWorker.ts';
import type { CodeRequest, PythonStep, ReadingRequest } from '../step.ts';

/** Why a cell's results are neither sent to the team's cache nor taken from it; null if they are. */
export function whyNotAsked(request: CodeRequest): string | null {
  if (request.language === 'r') return 'nothing observes which files and variables R reads';
  if (!request.cacheable) return 'it is not cached';
  // Of a loop, only the last iteration is observed.
  if (request.shape === 'loop') return 'it is a loop';
  if (isRemoteWorker(request.worker)) return 'it runs on a worker';
  // A fetched file counts by its digest; the state of anything else may depend on times of one machine.
  if (request.data.some(({ item }) => item.kind !== 'fetch')) return 'it uses a mount, a dataset or a table';
  if (readsMachine(request)) return 'it reads its folder or its machine';
  if (request.packages === null) return 'the installed packages differ from the lock';
  return null;
}

/** The path of the Python that a step starts; null if it starts none. */
export function pythonOf(request: ReadingRequest): string | null {
  return 'interpreter' in request ? (request.interpreter?.path ?? null) : null;
}

/** Code that reads properties of the machine that no observation records. */
const ASKS_MACHINE =
  /\b(?:getcwdb?|cwd|__file__|gethostname|getfqdn|uname|getuser|getlogin|getpid|cpu_count|process_cpu_count|abspath|realpath|expanduser|expandvars|gettempdir|gettempdirb|platform\.\w+|sys\.(?:executable|prefix|base_prefix|exec_prefix|argv|path)|Path\.home)\b|\.(?:resolve|absolute)\(/;

/** Whether a cell reads its folder, its user or its machine: the result is then only right on that machine. */
export function readsMachine({ source, setup }: Pick<PythonStep, 'source' | 'setup'>): boolean {
  return ASKS_MACHINE.test(source) || (setup !== null && ASKS_MACHINE.test(setup.source));
}

/**
 * Use of the network does not prevent sharing, because a local cache hit may be outdated, too. Anything else
 * that was not observed may be a file of that machine.
 */
const ALLOWED_OPEN: ReadonlySet<string> = new Set(['network']);

/** Why the result of an observed run cannot be checked elsewhere; null: it can. */
export function whyNotCheckable(observation: Observation | null): string | null {
  if (observation === null) return 'nothing is known of its run';
  const open = observation.open.find((reason) => !ALLOWED_OPEN.has(reason));
  if (open !== undefined) return `part of its run was not observed (${open})`;
  if (observation.wholeEnv !== null) return 'it reads the whole environment';
  for (const [path, fact] of pathsOf(observation)) {
    if (isAbsolute(path) || /^[A-Za-z]:|^\\\\/.test(path))
      return `it used ${path}, outside the notebook's folder`;
    if (path.split('/').includes('..')) return `it used ${path}, outside the notebook's folder`;
    if (fact !== null && fact.sha256 === null) return `${path} is too large to compare by its bytes`;
  }
  return null;
}

/** Content types whose bytes are read without running code. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...['arrow/ipc', 'json/object', 'application/json', 'image/png', 'image/jpeg', 'image/svg+xml'],
  ...['text/markdown', 'text/html', 'text/plain', 'text/latex'],
]);
/** Reading these runs code from the bytes. */
const CODE_TYPES: ReadonlySet<string> = new Set([
  'pickle/object',
  'module/cell',
  'module/import',
  'module/cell-instance',
]);

/**
 * Whether a value may be sent or taken over: a path, or code with pinned versions, is only valid on its own machine.
 */
export function isPortable({ contentType, params }: Pick<ArtifactRow, 'contentType' | 'params'>): boolean {
  if (params['injected'] !== undefined || params['beside'] !== undefined) return false;
  return PLAIN_TYPES.has(contentType) || CODE_TYPES.has(contentType);
}

/** Whether reading a value runs code that the store supplies. */
export function runsCode(contentType: string): boolean {
  return !PLAIN_TYPES.has(contentType);
}

/**
 * Digests of the variables a run read that its notebook does not set: on another machine, the machine's own value
 * counts. Null: one of them is a secret of this machine.
 */
export function machineFacts(
  { env: names }: Pick<Observation, 'env'>,
  machine: {
    readonly env: Readonly<Record<string, string>>;
    readonly notebookDir: NotebookFolder;
  },
): Readonly<Record<string, string | null>> | null {
  const facts: Record<string, string | null> = {};
  for (const [name, digest] of Object.entries(names)) {
    if (digest !== null) continue;
    const value = Object.hasOwn(machine.env, name) ? machine.env[name] : undefined;
    if (value !== undefined && isSecretName(name)) return null;
    facts[name] =
      value === undefined ? null : short(`${name}\0${value.replaceAll(machine.notebookDir, '.')}`);
  }
  return facts;
}

/** Whether this machine's variables are those of another run. */
export function areSameFacts(
  theirs: Readonly<Record<string, string | null>>,
  ours: Readonly<Record<string, string | null>> | null,
): boolean {
  if (ours === null) return false;
  const names = Object.keys(ours);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && theirs[name] === ours[name])
  );
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
