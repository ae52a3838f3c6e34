/** Asks the package index for one package by its name, for the Packages panel. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { writeFileAtomic } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readProjectFile } from '../folder/projectFile.ts';
import { fittingPython } from '../settleEnvironment.ts';
import type { FoundUv } from '../uv/resolveUv.ts';
import { runUv, uvFailure } from '../uv/uvFailure.ts';
import { uvBaseEnv } from '../uv/uvSync.ts';

/** What the notebook's index has for one package name. */
export interface IndexedPackage {
  /** `unknown`: the index could not be queried, or did not answer in time. */
  readonly status: 'exists' | 'missing' | 'unknown';
  /** The newest version for the notebook's Python; null when there is none. */
  readonly version: string | null;
  /** The reason, unless the package simply exists. */
  readonly problem: string | null;
}

const LOOK_UP_MS = 15_000;

/**
 * Queries the notebook's index for a package by its exact name, because indexes have no search. uv sends the query, so
 * that its settings apply: of the project, of the machine, credentials, proxies and certificates. Installs and builds
 * nothing.
 */
export async function lookUpPackage(
  name: string,
  request: {
    readonly dir: NotebookFolder;
    readonly uv: FoundUv;
    readonly env: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
  },
): Promise<IndexedPackage> {
  const { dir, uv, env, signal } = request;
  if (uv.kind === 'missing') return unknown(uv.message);
  const python = await fittingPython((await readProjectFile(dir))?.requiresPython ?? '', env);
  const folder = await mkdtemp(join(tmpdir(), 'cellar-name-'));
  try {
    const list = join(folder, 'requirements.in');
    await writeFileAtomic(list, `${name}\n`);
    let stdout = '';
    const { end, stderr } = await runUv({
      file: uv.path,
      args: [
        ...['pip', 'compile', list, '--quiet', '--no-deps', '--no-build', '--no-header', '--no-annotate'],
        ...(python === null ? [] : ['--python', python.path]),
      ],
      cwd: dir,
      env: { ...uvBaseEnv(env), UV_PYTHON_DOWNLOADS: 'never' },
      timeoutMs: LOOK_UP_MS,
      signal,
      onText: (stream, text) => {
        if (stream === 'stdout') stdout += text;
      },
    });
    switch (end.kind) {
      case 'exited':
        return end.code === 0 ? existing(name, stdout) : notFound(name, stderr);
      case 'timeout':
        return unknown(`The package index did not answer within ${LOOK_UP_MS / 1000} s.`);
      case 'unstartable':
        return unknown(`uv cannot be started: ${end.message}.`);
      case 'cancelled':
        return unknown('The notebook was closed.');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function existing(name: string, listed: string): IndexedPackage {
  const key = normalizedName(name);
  const versions = listed
    .split('\n')
    .map((line) => /^\s*([A-Za-z0-9._-]+)==([^\s;]+)/.exec(line))
    .filter((match) => match !== null && normalizedName(match[1] ?? '') === key);
  return { status: 'exists', version: versions[0]?.[2] ?? null, problem: null };
}

function notFound(name: string, stderr: string): IndexedPackage {
  const output = stderr.replace(/\s*\n\s*(?:│\s*)?/g, ' ');
  if (/was not found in the (?:package registry|provided package locations)/.test(output)) {
    return { status: 'missing', version: null, problem: null };
  }
  if (
    /no usable wheels|building (?:from source|source distributions)\b.*\bis disabled|--no-build/i.test(output)
  ) {
    return {
      status: 'exists',
      version: null,
      problem: `${name} has no wheel for this machine and is built from source.`,
    };
  }
  const { error } = uvFailure(stderr);
  return unknown(error === '' ? 'uv gave no reason.' : error);
}

function unknown(problem: string): IndexedPackage {
  return { status: 'unknown', version: null, problem };
}
