/**
 * Writes to Iceberg tables under `kill -9`: a child process is killed at each step, and each table must have
 * its old or its new rows.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seeded } from '../../../e2e/support/seeded.ts';
import { IcebergError } from '../icebergError.ts';
import { scanned } from '../testing/scanned.ts';
import { WRITE_STEPS } from './writeSteps.ts';

const CHILD = fileURLToPath(new URL('./testing/writeChild.ts', import.meta.url));
const LIVES = Number(process.env['LIVES'] ?? (process.env['LONG'] === '1' ? 300 : WRITE_STEPS.length));
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const ROUNDS = 2;

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'iceberg-kill-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function run(first: number, killAt: string | null) {
  const env = { ...process.env, TMPDIR: dir, ...(killAt === null ? {} : { SVC_TEST_KILL_AT: killAt }) };
  const child = spawn(process.execPath, [CHILD, dir, String(first), String(ROUNDS)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise<{
    readonly signal: string | null;
    readonly lines: readonly string[];
    readonly stderr: string;
  }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) =>
      resolve({ signal, stderr, lines: stdout.split('\n').filter((line) => line !== '') }),
    );
  });
}

/** The numbers of a table; null: there is no such table. */
async function numbersOf(table: string): Promise<readonly number[] | null> {
  try {
    const { rows } = await scanned(`${dir}#ns.${table}`);
    return Array.from(rows.getChild('n') ?? [], Number);
  } catch (error) {
    if (error instanceof IcebergError && error.kind === 'not_found') return null;
    throw error;
  }
}

it(`[RG-43] ${LIVES} kills while tables are written leave each with its old or its new rows (seed ${SEED})`, {
  // A limit for hangs; a busy machine takes several times as long as an idle one.
  timeout: 60_000 + LIVES * 60_000,
}, async () => {
  const random = seeded(SEED);
  const reported = new Set<number>();
  let last = -1;
  let next = 0;
  for (let life = 0; life < LIVES; life += 1) {
    const step = WRITE_STEPS[life % WRITE_STEPS.length] ?? 'rows_written';
    // The namespace is written for each new table; every table has the other steps.
    const times = step === 'namespace_written' ? ROUNDS : 2 * ROUNDS;
    const killAt = `${step}:${1 + Math.floor(random() * times)}`;
    const outcome = await run(next, killAt);
    const where = `life ${life} at ${killAt}: ${outcome.stderr}`;
    expect(outcome.signal, where).toBe('SIGKILL');
    for (const line of outcome.lines) {
      const [table, n] = line.split(' ');
      if (table === 'all') last = Number(n);
      else reported.add(Number(n));
    }
    for (let n = 0; n < next + ROUNDS; n += 1) {
      if (n < next - 4 * ROUNDS) continue;
      const numbers = await numbersOf(`new${n}`);
      if (reported.has(n) || numbers !== null) expect(numbers, where).toEqual([n, n, n]);
    }
    const all = await numbersOf('all');
    if (last !== -1 || all !== null) {
      const n = all?.[0] ?? -1;
      expect(all, where).toEqual([n, n, n]);
      // The reported value, or that of the interrupted write.
      expect(
        [last, last + 1, next, next + 1].filter((one) => one >= last),
        where,
      ).toContain(n);
      last = n;
    }
    next += ROUNDS;
  }
  const outcome = await run(next, null);
  expect([outcome.signal, outcome.stderr]).toEqual([null, '']);
  expect(await numbersOf('all')).toEqual(Array.from({ length: 3 }, () => next + ROUNDS - 1));
});
