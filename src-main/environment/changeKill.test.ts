/**
 * Package changes under `kill -9`: a child process runs real uv and is killed at random times; lock file and
 * environment must still match.
 */

import { spawn } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pick, seeded } from '../../e2e/support/seeded.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { EnvironmentWork } from './environmentWork.ts';
import { readEnvironment } from './readEnvironment.ts';
import { recoverEnvironment } from './syncMarker.ts';
import { createTestIndex, type TestIndex, uvForTests } from './testing/testIndex.ts';
import { findPythons } from './uv/findPythons.ts';

const CHILD = fileURLToPath(new URL('./testing/changeChild.ts', import.meta.url));
const KILLS = process.env['LONG'] === '1' ? 200 : 4;
const SEED = Number(process.env['SEED'] ?? 20_261_123);

const uv = uvForTests();
const [python] = await findPythons();
/** Only Linux can list the processes that work in a folder. */
const CAN_RUN = process.platform === 'linux' && uv !== null && python !== undefined;

const add = (requirement: string): EnvironmentWork => ({
  action: 'add',
  requirements: [requirement],
  dev: false,
});
const WORK: readonly EnvironmentWork[] = [
  add('apple==1.0'),
  add('apple==2.0'),
  add('pear'),
  { action: 'remove', name: 'pear' },
  { action: 'remove', name: 'apple' },
  { action: 'import', requirements: [], warnings: [] },
  { action: 'sync', isRequested: true },
  // Failing work is killed too.
  add('no-such-package'),
];

/**
 * Does the work in a child process, killed after `killAfterMs` (null: never). Resolves to its output, null if killed.
 */
function runWork(index: TestIndex, dir: string, work: EnvironmentWork, killAfterMs: number | null) {
  const args = [CHILD, dir, uv ?? '', JSON.stringify(work)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: index.env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise<string | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (timer !== null) clearTimeout(timer);
      if (code !== 0 && signal === null) reject(new Error(stderr));
      else resolve(signal === null ? stdout : null);
    });
  });
}

/** Processes that work in the folder; those of a killed server end a moment after it. */
async function workersIn(dir: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = pids.map(async (pid) => [pid, await readlink(`/proc/${pid}/cwd`).catch(() => '')] as const);
  return (await Promise.all(folders)).flatMap(([pid, cwd]) => (cwd === dir ? [pid] : []));
}

test.skipIf(!CAN_RUN)(
  `[EN-37] ${KILLS} kills during package changes leave files and environment complete and consistent (seed ${SEED})`,
  {
    timeout: 120_000 + KILLS * 15_000,
  },
  async () => {
    const random = seeded(SEED);
    const index = await createTestIndex();
    await index.wheel({ name: 'apple', version: '1.0' });
    await index.wheel({ name: 'apple', version: '2.0' });
    await index.wheel({ name: 'pear', version: '1.0' });
    const dir = notebookFolder(
      await index.notebook('killed', { python: python?.minor ?? '', dependencies: ['apple'] }),
    );
    const startedAt = performance.now();
    expect(await runWork(index, dir, { action: 'sync', isRequested: false }, null)).toBe('done ready \n');
    // How long each piece of work took when it was not killed, so that kills fall anywhere in it on a machine
    // of any speed.
    const takesMs = new Map(WORK.map((work) => [work, performance.now() - startedAt]));
    let killed = 0;
    // A kill after the end of the work proves nothing, so at least half must come before.
    for (let turn = 0; turn < KILLS || killed < KILLS / 2; turn += 1) {
      expect(turn, 'works that ended before their kill').toBeLessThan(4 * KILLS);
      const work = pick(random, WORK);
      const project = await readFile(join(dir, 'pyproject.toml'), 'utf8');
      const workStartedAt = performance.now();
      const output = await runWork(index, dir, work, random() * (takesMs.get(work) ?? 0) * 1.1);
      if (output === null) killed += 1;
      else takesMs.set(work, performance.now() - workStartedAt);
      await expect.poll(() => workersIn(dir)).toEqual([]);
      await recoverEnvironment(dir);
      const facts = await readEnvironment(dir);
      const where = `turn ${turn}, ${JSON.stringify(work)}`;
      expect(facts.project?.problem, where).toBe(null);
      // The files and the environment are all from before the work, or all from after it.
      expect(facts.venv?.upToDate, where).toBe(true);
      if (output === null) continue;
      const hasFailed = output.startsWith('done failed');
      if (hasFailed) expect(await readFile(join(dir, 'pyproject.toml'), 'utf8'), where).toBe(project);
      expect(await readdir(join(dir, '.svc')), where).not.toContain('sync-in-progress.json');
    }
    await index.close();
  },
);
