/**
 * The artifact store under `kill -9`: child processes publish and are killed at each step, then the store is
 * opened and every blob checked.
 */

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArtifactRow, ArtifactStore } from './artifact.ts';
import { PUBLISH_STEPS } from './publishSteps.ts';
import { openStore } from './store.ts';
import { sha256 } from './testing/testItems.ts';

const CHILD = fileURLToPath(new URL('./testing/publishChild.ts', import.meta.url));
const LONG = process.env['LONG'] === '1';
const SEED = Number(process.env['SEED'] ?? 20_260_101);

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

function run(args: readonly string[], killAt: string | null): Promise<Ended> {
  const env = { ...process.env, ...(killAt === null ? {} : { SVC_TEST_KILL_AT: killAt }) };
  const child = spawn(process.execPath, [CHILD, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stderr, lines: stdout.split('\n').filter((line) => line !== '') }),
    );
  });
}

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function expectedText(row: ArtifactRow): string {
  const round = row.params['round'] ?? '';
  if (row.id === 'big') return `${round} `.repeat(40_000);
  return `${row.id === 'twin' ? 'small' : row.id.startsWith('own-') ? 'own' : row.id} ${round}`;
}

/** Checks that every row has the correct bytes; returns the rows. */
async function checkBytes(store: ArtifactStore): Promise<readonly ArtifactRow[]> {
  const rows = store.current('');
  for (const row of rows) {
    const result = await store.readable(row);
    if (result.kind !== 'ok') throw new Error(result.message);
    const text = await readFile(result.path, 'utf8');
    if (text !== expectedText(row) || sha256(text) !== row.contentSha256) {
      throw new Error(`wrong bytes of ${row.id} version ${row.version}`);
    }
  }
  return rows;
}

describe('publishing and kill -9', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'store-kill-'));
    await mkdir(join(dir, 'scratch'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Each step once in a normal run. */
  const kills = LONG ? 1000 : PUBLISH_STEPS.length;
  test(`[CR-3] ${kills} kills lose nothing and leave nothing half done (seed ${SEED})`, {
    timeout: kills * 20_000,
  }, async () => {
    const random = seeded(SEED);
    const storeDir = join(dir, 'store');
    let round = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const step = PUBLISH_STEPS[kill % PUBLISH_STEPS.length] ?? 'started';
      const killAt = `${step}:${1 + Math.floor(random() * 6)}`;
      const outcome = await run([storeDir, join(dir, 'scratch'), 'k', String(round), '7'], killAt);
      const where = `kill ${kill} at ${killAt}: ${outcome.stderr}`;
      expect(outcome.signal, where).toBe('SIGKILL');

      const store = await openStore(storeDir);
      const rows = await checkBytes(store);
      await store.close();
      const ready = rows.filter((row) => row.state === 'ready');
      const rounds = new Set(ready.map((row) => Number(row.params['round'])));
      expect(rounds.size, where).toBeLessThanOrEqual(1);
      const versions = outcome.lines.map((line) => Number(line.split(' ')[1]));
      const lastReported = versions.at(-1) ?? round - 1;
      const [storedRound] = [...rounds, -1];
      // Reported rounds are stored; the round in progress may be stored too.
      expect([lastReported, lastReported + 1], where).toContain(storedRound);
      expect(ready.length, where).toBe(storedRound === -1 ? 0 : 4);

      const blobs = new Set(await readdir(join(storeDir, 'blobs')));
      expect(blobs, where).toEqual(new Set(rows.map((row) => row.contentSha256)));
      expect(await readdir(join(storeDir, 'tmp')), where).toEqual([]);
      round = (storedRound ?? -1) + 1;
    }
  });

  test('[AS-2] several processes publish into one store', async () => {
    const storeDir = join(dir, 'store');
    const outcomes = await Promise.all(
      ['one', 'two', 'three'].map((name) => run([storeDir, join(dir, 'scratch'), name, '0', '30'], null)),
    );
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      outcomes.map(() => ({ code: 0, stderr: '' })),
    );
    const versions = outcomes.flatMap(({ lines }) => lines.map((line) => Number(line.split(' ')[2])));
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
    const store = await openStore(storeDir);
    const rows = await checkBytes(store);
    const ready = rows.filter((row) => row.state === 'ready' && !row.id.startsWith('own-'));
    // One publish's rows became current together: the newest of each shared id come from one process and round.
    expect(new Set(ready.map((row) => `${row.params['from']} ${row.params['round']}`)).size).toBe(1);
    await store.close();
  });
});
