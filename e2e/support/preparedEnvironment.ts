/**
 * A ready Python environment for notebooks of the tests. It is created once before the first file, because a copy takes
 * a tenth of the time of creating one (half a second of a processor).
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncEnvironment } from '../../src-main/environment/syncEnvironment.ts';
import { uvForTests } from '../../src-main/environment/testing/testIndex.ts';
import { compileBytecode } from '../../src-main/environment/uv/compileBytecode.ts';
import { resolveUv } from '../../src-main/environment/uv/resolveUv.ts';
import { installedDigest, readMarker, venvDir, writeMarker } from '../../src-main/environment/venv/venv.ts';
import { notebookFolder } from '../../src-main/notebook/folder/notebookFolder.ts';
import { type NotebookOptions, writeNotebook } from './notebookFolder.ts';

const run = promisify(execFile);

/**
 * The variable with the folder of the prepared notebook. It is unset outside of process and browser tests (bench,
 * desktop), where notebooks are synced as usual.
 */
const PREPARED = 'CELLAR_PREPARED_NOTEBOOK';
let root = '';

/** Vitest and Playwright call this before the first file of a run. */
export async function setup(): Promise<void> {
  const path = uvForTests();
  if (path === null) return;
  root = await mkdtemp(join(tmpdir(), 'cellar-prepared-'));
  const dir = await writeNotebook(join(root, 'prepared'), { cells: [] });
  const uv = await resolveUv({ svcUv: path, resourceDir: null, cacheDir: root });
  if (uv.kind === 'missing') throw new Error(uv.message);
  const { error } = await syncEnvironment({ dir: notebookFolder(dir), uv, python: null });
  if (error !== null) throw new Error(`the environment for tests was not made: ${error}`);
  await compileBytecode(notebookFolder(dir));
  process.env[PREPARED] = dir;
}

/** Vitest and Playwright call this after the last file. */
export async function teardown(): Promise<void> {
  if (root !== '') await rm(root, { recursive: true, force: true });
}

/** Writes a notebook with a ready environment. With dependencies or its own Python version it must still be synced. */
export async function writeReadyNotebook(dir: string, options: NotebookOptions): Promise<string> {
  await writeNotebook(dir, options);
  await lendEnvironment(dir);
  return dir;
}

/**
 * Puts an environment into a folder of {@link writeNotebook} without dependencies, so that opening it syncs nothing.
 * A folder that already has an environment or a lock is not changed.
 */
export async function lendEnvironment(dir: string): Promise<void> {
  const from = process.env[PREPARED];
  if (from === undefined || existsSync(venvDir(notebookFolder(dir))) || existsSync(join(dir, 'uv.lock')))
    return;
  const [wanted, made] = await Promise.all([projectOf(dir), projectOf(from)]);
  if (wanted !== made) return;
  await copyEnvironment(from, dir);
}

/**
 * Gives a notebook the environment and the lock of another one with the same pyproject.toml.
 * @param isLinked shares the files if the system can, for large environments that no test changes by hand
 */
export async function copyEnvironment(from: string, to: string, { isLinked = false } = {}): Promise<void> {
  const [source, target] = [venvDir(notebookFolder(from)), venvDir(notebookFolder(to))];
  if (isLinked && process.platform === 'linux') await run('cp', ['-a', '-l', source, target]);
  else await cp(source, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await copyFile(join(from, 'uv.lock'), join(to, 'uv.lock'));
  const marker = await readMarker(target);
  if (marker === null) throw new Error(`${from} has no environment that was synced`);
  // The files of a copy have other times.
  await writeMarker(target, { ...marker, installed: await installedDigest(target) });
}

function projectOf(dir: string): Promise<string> {
  return readFile(join(dir, 'pyproject.toml'), 'utf8');
}
