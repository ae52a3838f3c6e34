/** Edits the dependencies in a notebook's pyproject.toml and uv.lock with uv, without installing anything. */

import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { parseToml, patchToml } from '../../notebook/toml/tomlPatch.ts';
import { type ProjectFile, readIfThere, readProjectFile } from '../folder/projectFile.ts';
import type { Python } from '../uv/findPythons.ts';
import type { FoundUv } from '../uv/resolveUv.ts';
import type { ToolStream } from '../uv/runTool.ts';
import { runUv, uvFailure } from '../uv/uvFailure.ts';
import { uvBaseEnv } from '../uv/uvSync.ts';
import { refusedPlace } from './checkPlaces.ts';
import {
  addedPackagesText,
  isStorePackage,
  removedStorePackages,
  storeRequirements,
} from './storePackages.ts';

/** The changes of a project's dependencies that users can request. */
export type ProjectEdit =
  /** Adds all of them, or none when one cannot be installed. */
  | { readonly kind: 'add'; readonly requirements: readonly string[]; readonly dev: boolean }
  | { readonly kind: 'remove'; readonly name: string }
  /** Replaces all direct dependencies. */
  | { readonly kind: 'replace'; readonly requirements: readonly string[] }
  /** Sets the Python version, such as `3.12`. */
  | { readonly kind: 'python'; readonly minor: string }
  /** Only restores packages that the notebook must have; see {@link keepStorePackages}. */
  | { readonly kind: 'keep' }
  /** Restores both files. */
  | { readonly kind: 'restore'; readonly project: string; readonly lock: string };

interface EditRequest {
  /** The folder with pyproject.toml and uv.lock. */
  readonly dir: NotebookFolder;
  readonly uv: FoundUv;
  /** The Python to resolve for; null: uv finds one. */
  readonly python: Python | null;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  readonly onText: (stream: ToolStream, text: string) => void;
}

/** Why an edit failed, for users. `unreachable`: uv or the index cannot be reached. */
interface EditFailure {
  readonly kind: 'unreachable' | 'failed' | 'cancelled';
  readonly error: string;
  /** Whether uv was started. */
  readonly ranUv: boolean;
}

/**
 * Writes an edit to the project's files and installs nothing. uv itself adds and removes packages, so bounds and order
 * in the file follow its rules, and it also updates the lock. @returns null on success
 */
export async function editProject(edit: ProjectEdit, request: EditRequest): Promise<EditFailure | null> {
  const { dir } = request;
  const project = await readProjectFile(dir);
  if (project === null) return failure('unreachable', 'The notebook has no pyproject.toml.');
  if (project.problem !== null) return failure('failed', project.problem);
  const lock = (await readIfThere(placeIn(dir, 'uv.lock')))?.toString('utf8') ?? null;
  const needed = storeRequirements(project, lock);
  return (await write(edit, project, request)) ?? keepStorePackages(needed, request);
}

/** Adds packages again that results are stored with and that an edit dropped, and reports them. */
async function keepStorePackages(
  needed: ReadonlyMap<string, string>,
  { dir, onText }: EditRequest,
): Promise<EditFailure | null> {
  const project = await readProjectFile(dir);
  const droppedNames = project === null ? [] : removedStorePackages(project, needed);
  if (project === null || project.problem !== null || droppedNames.length === 0) return null;
  onText('stdout', addedPackagesText(droppedNames));
  return patchProject(dir, 'dependencies', [...project.requirements, ...droppedNames]);
}

async function write(
  edit: ProjectEdit,
  project: ProjectFile,
  request: EditRequest,
): Promise<EditFailure | null> {
  const { dir } = request;
  switch (edit.kind) {
    case 'keep':
      return null;
    case 'add':
      return editByUv(['add', '--no-sync', ...(edit.dev ? ['--dev'] : []), ...edit.requirements], request);
    case 'remove': {
      const key = normalizedName(edit.name);
      const declared = project.dependencies.find(({ name }) => normalizedName(name) === key);
      if (declared === undefined) return failure('failed', notDeclaredMessage(edit.name));
      if (isStorePackage(key)) return failure('failed', cannotRemoveMessage(declared.name));
      return editByUv(['remove', '--no-sync', declared.name], request);
    }
    case 'replace':
      return patchProject(dir, 'dependencies', edit.requirements);
    case 'python':
      return patchProject(dir, 'requires-python', `==${edit.minor}.*`);
    case 'restore':
      await replaceFile(placeIn(dir, 'pyproject.toml'), edit.project);
      await replaceFile(placeIn(dir, 'uv.lock'), edit.lock);
      return null;
  }
}

function cannotRemoveMessage(name: string): string {
  return `${name} cannot be removed because Cellar stores results with it. To change the version, add ${name} with a version.`;
}

function notDeclaredMessage(name: string): string {
  return `${name} is not among the notebook's own dependencies, so it cannot be removed. It may be there because another package needs it.`;
}

function failure(kind: EditFailure['kind'], error: string): EditFailure {
  return { kind, error, ranUv: false };
}

async function editByUv(args: readonly string[], request: EditRequest): Promise<EditFailure | null> {
  const { uv, python, dir, timeoutMs, env, signal } = request;
  if (uv.kind === 'missing') return failure('unreachable', uv.message);
  const problem = refusedPlace(dir, 'python');
  if (problem !== null) return failure('failed', problem);
  const { end, stderr } = await runUv({
    file: uv.path,
    args: [...args, ...(python === null ? [] : ['--python', python.path])],
    cwd: dir,
    env: { ...uvBaseEnv(env), ...(python === null ? {} : { UV_PYTHON_DOWNLOADS: 'never' }) },
    timeoutMs,
    onText: request.onText,
    ...(signal === undefined ? {} : { signal }),
  });
  const uvFailed = (kind: EditFailure['kind'], error: string): EditFailure => ({ kind, error, ranUv: true });
  switch (end.kind) {
    case 'cancelled':
      return uvFailed('cancelled', 'cancelled');
    case 'timeout':
      return uvFailed('failed', `uv did not finish within ${Math.round(timeoutMs / 1000)} s.`);
    case 'unstartable':
      return uvFailed('unreachable', `uv cannot be started: ${end.message}.`);
    case 'exited': {
      if (end.code === 0) return null;
      const killedNote = end.code > 128 ? `uv was killed (exit code ${end.code}). ` : '';
      const { kind, error } = uvFailure(stderr);
      const reason = `${killedNote}${error}`.trim();
      return uvFailed(kind, reason === '' ? `uv ended with exit code ${end.code}.` : reason);
    }
  }
}

/** Replaces the direct dependencies without a job. @returns null on success */
export function setRequirements(
  dir: NotebookFolder,
  requirements: readonly string[],
): Promise<EditFailure | null> {
  return patchProject(dir, 'dependencies', requirements);
}

/** Sets a value of the `[project]` table; the rest of the file stays unchanged, byte for byte. */
async function patchProject(
  dir: NotebookFolder,
  key: string,
  value: string | readonly string[],
): Promise<EditFailure | null> {
  const place = placeIn(dir, 'pyproject.toml');
  const before = (await readIfThere(place))?.toString('utf8') ?? '';
  const text = before.replace(/^\uFEFF/, '');
  try {
    const result = patchToml({ text, document: parseToml(text) }, [
      { op: 'set', path: ['project', key], value: typeof value === 'string' ? value : [...value] },
    ]);
    await replaceFile(place, before.slice(0, before.length - text.length) + result.text);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return failure('failed', `pyproject.toml could not be changed: ${reason}`);
  }
}
