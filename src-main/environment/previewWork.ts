/** Computes what an environment job would change, on a copy of the project, before the user confirms it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomicFile.ts';
import { type NotebookFolder, notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type EnvironmentWork, editOf } from './environmentWork.ts';
import { readIfThere, readProjectFile } from './folder/projectFile.ts';
import { type ProjectFiles, readProjectFiles } from './folder/projectUndo.ts';
import { lockChanges, type PackageChange } from './lock/lockChanges.ts';
import { editProject } from './project/projectEdit.ts';
import { requestedMinor } from './pythonVersion.ts';
import { fittingPython } from './settleEnvironment.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { runUv, uvFailure } from './uv/uvFailure.ts';
import { uvBaseEnv } from './uv/uvSync.ts';

/** What a job would change, shown before the user confirms it. */
export type WorkPreview =
  | { readonly kind: 'resolved'; readonly changes: readonly PackageChange[] }
  /** The error is for users. */
  | { readonly kind: 'failed'; readonly error: string };

const RESOLVE_MS = 120_000;

/**
 * Resolves a job on a copy of the project's two files, without touching the notebook's folder. Packages that the
 * project takes from a relative path cannot be found from the copy: the failure says so.
 */
export async function previewWork(
  work: EnvironmentWork,
  request: {
    readonly dir: NotebookFolder;
    readonly uv: FoundUv;
    readonly signal: AbortSignal;
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<WorkPreview> {
  const before = await readProjectFiles(request.dir);
  const copy = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-preview-')));
  try {
    return await resolveIn(copy, { ...request, work, before, env: request.env ?? process.env });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

interface Resolving {
  readonly dir: NotebookFolder;
  readonly work: EnvironmentWork;
  readonly before: ProjectFiles;
  readonly uv: FoundUv;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
}

async function resolveIn(copy: NotebookFolder, resolving: Resolving): Promise<WorkPreview> {
  const { dir, work, before, uv, signal, env } = resolving;
  if (before.project === null) return failure('The notebook has no pyproject.toml.');
  if (uv.kind === 'missing') return failure(uv.message);
  await writeFileAtomic(join(copy, 'pyproject.toml'), before.project);
  if (before.lock !== null) await writeFileAtomic(join(copy, 'uv.lock'), before.lock);
  // The file may set the index.
  const settings = await readIfThere(join(dir, 'uv.toml'));
  if (settings !== null) await writeFileAtomic(join(copy, 'uv.toml'), settings);
  const requires = (await readProjectFile(copy))?.requiresPython ?? '';
  const required = work.action === 'change_python' ? `==${work.minor}.*` : requires;
  const python = await fittingPython(required, env);
  const edit = editOf(work);
  const editFailure =
    edit === null
      ? null
      : await editProject(edit, {
          dir: copy,
          uv,
          python,
          env,
          signal,
          timeoutMs: RESOLVE_MS,
          onText: () => undefined,
        });
  if (editFailure !== null) return failure(editFailure.error);
  const { end, stderr } = await runUv({
    file: uv.path,
    args: ['lock', ...(python === null ? [] : ['--python', python.path])],
    cwd: copy,
    env: uvBaseEnv(env),
    timeoutMs: RESOLVE_MS,
    signal,
  });
  if (end.kind === 'cancelled') return failure('cancelled');
  if (end.kind === 'timeout') return failure(`uv did not finish within ${RESOLVE_MS / 1_000} s.`);
  if (end.kind === 'unstartable') return failure(`uv cannot be started: ${end.message}.`);
  if (end.code !== 0) return failure(uvFailure(stderr).error || `uv ended with exit code ${end.code}.`);
  const after = await readProjectFiles(notebookFolder(copy));
  const target = {
    python: python === null ? requestedMinor(required) : python.minor,
    platform: process.platform,
    arch: process.arch,
  };
  return { kind: 'resolved', changes: lockChanges(before.lock, after.lock, target) };
}

function failure(error: string): WorkPreview {
  return { kind: 'failed', error };
}
