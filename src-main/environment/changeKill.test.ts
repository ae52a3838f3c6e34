import { spawn } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pick, seeded } from '../../e2e/support/seeded.ts';
import type { EnvironmentWork } from './environmentWork.ts';
import { readEnvironment } from './readEnvironment.ts';
import { recoverEnvironment } from './syncNote.ts';
import { createTestIndex, type TestIndex, uvForTests } from './testIndex.ts';
import { findPythons } from './uv/findPythons.ts';

const CHILD = fileURLToPath(new URL('./changeChild.ts', import.meta.url));
const KILLS = process.env['LONG'] === '1' ? 200 : 20;
const SEED = Number(process.env['SEED'] ?? 20_261_123);

const uv = uvForTests();
const [python] = await findPythons();
/** Who still works in a folder can be asked on Linux only. */
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
  { action: 'sync', asked: true },
  // What fails is killed too.
  add('nobody-has-it'),
];

/** Does the work, killed after so many ms (null: never). What it said, if it ended. */
function done(index: TestIndex, dir: string, work: EnvironmentWork, killAfterMs: number | null) {
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

/** Processes that work in the folder: those of a killed server end a moment after it. */
async function workersIn(dir: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = pids.map(async (pid) => [pid, await readlink(`/proc/${pid}/cwd`).catch(() => '')] as const);
  return (await Promise.all(folders)).flatMap(([pid, cwd]) => (cwd === dir ? [pid] : []));
}

test.skipIf(!CAN_RUN)(
  `[EN-37] ${KILLS} kills amid changes of the packages leave files and environment whole, and of one kind (seed ${SEED})`,
  {
    timeout: 120_000 + KILLS * 15_000,
  },
  async () => {
    const random = seeded(SEED);
    const index = await createTestIndex();
    await index.wheel({ name: 'apple', version: '1.0' });
    await index.wheel({ name: 'apple', version: '2.0' });
    await index.wheel({ name: 'pear', version: '1.0' });
    const dir = await index.notebook('killed', { python: python?.minor ?? '', dependencies: ['apple'] });
    const startedAt = performance.now();
    expect(await done(index, dir, { action: 'sync', asked: false }, null)).toBe('done ready \n');
    // What each work took when it was last let alone, so that kills fall anywhere in it on a machine of any speed.
    const takesMs = new Map(WORK.map((work) => [work, performance.now() - startedAt]));
    let killed = 0;
    // A kill that always comes too late would prove nothing: half of them come in time.
    for (let turn = 0; turn < KILLS || killed < KILLS / 2; turn += 1) {
      expect(turn, 'works that ended before their kill').toBeLessThan(4 * KILLS);
      const work = pick(random, WORK);
      const project = await readFile(join(dir, 'pyproject.toml'), 'utf8');
      const begunAt = performance.now();
      const said = await done(index, dir, work, random() * (takesMs.get(work) ?? 0) * 1.1);
      if (said === null) killed += 1;
      else takesMs.set(work, performance.now() - begunAt);
      await expect.poll(() => workersIn(dir), { timeout: 20_000 }).toEqual([]);
      await recoverEnvironment(dir);
      const facts = await readEnvironment(dir);
      const where = `turn ${turn}, ${JSON.stringify(work)}`;
      expect(facts.project?.problem, where).toBe(null);
      // Both files and the environment are of before, or all of after.
      expect(facts.venv?.upToDate, where).toBe(true);
      if (said === null) continue;
      const failed = said.startsWith('done failed');
      if (failed) expect(await readFile(join(dir, 'pyproject.toml'), 'utf8'), where).toBe(project);
      expect(await readdir(join(dir, '.svc')), where).not.toContain('sync-in-progress.json');
    }
    await index.close();
  },
);
