/**
 * The registry under `kill -9`: a child process is killed at each step of a put, import or publication; the
 * store must then be consistent.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableFromIPC } from 'apache-arrow';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRegistry, type Registry } from './registry.ts';
import type { ListQuery } from './storeFigures.ts';
import { STORE_STEPS } from './storeSteps.ts';

const CHILD = fileURLToPath(new URL('./testing/storeChild.ts', import.meta.url));
const ANYBODY = { tenant: '', principal: null, isAdmin: true };
const LIVES = Number(process.env['LIVES'] ?? (process.env['LONG'] === '1' ? 300 : STORE_STEPS.length));
const SEED = Number(process.env['SEED'] ?? 20_260_726);
const ROUNDS = 3;

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'registry-kill-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

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

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

function run(round: number, killAt: string | null): Promise<Ended> {
  const env = { ...process.env, ...(killAt === null ? {} : { SVC_TEST_KILL_AT: killAt }) };
  const args = [CHILD, join(dir, 'store'), String(round), String(ROUNDS)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
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

/** The value that a version has; versions of the child are tables of one column and one row. */
async function shownValue(registry: Registry, id: string, version: number): Promise<string> {
  const bytes = await readFile(registry.dataFile({ id, version }, ANYBODY).path);
  return String(tableFromIPC(new Uint8Array(bytes)).getChildAt(0)?.get(0));
}

it(`[RG-36] ${LIVES} kills during puts, imports, publications and collections leave all or nothing (seed ${SEED})`, {
  timeout: 60_000 + LIVES * 60_000,
}, async () => {
  const random = seeded(SEED);
  const reported = new Map<string, string>();
  const tokens = new Map<string, string>();
  let round = 0;
  for (let life = 0; life < LIVES; life += 1) {
    const step = STORE_STEPS[life % STORE_STEPS.length] ?? 'received';
    const killAt = `${step}:${1 + Math.floor(random() * ROUNDS)}`;
    const outcome = await run(round, killAt);
    const where = `life ${life} at ${killAt}: ${outcome.stderr}`;
    expect(outcome.signal, where).toBe('SIGKILL');
    for (const line of outcome.lines) {
      const [kind, id, version, value = '', token = ''] = line.split(' ');
      reported.set(`${id} ${version}`, value);
      if (kind === 'published') tokens.set(token, value);
    }
    round += ROUNDS;

    const registry = await openRegistry({ dir: join(dir, 'store'), protectedAliases: [], zombieSeconds: 0 });
    try {
      // A file that no row names is left for the next writer; a row never lacks its file.
      const { problems } = await registry.verify();
      expect(
        problems.filter(({ kind }) => kind !== 'orphaned'),
        where,
      ).toEqual([]);
      for (const [key, value] of reported) {
        const [id = '', version] = key.split(' ');
        expect(await shownValue(registry, id, Number(version)), where).toBe(value);
      }
      for (const [token, title] of tokens) {
        expect(registry.publications.byToken(token).title, where).toBe(title);
      }
      // A change and its log entry exist together.
      const { names, publications } = registry;
      const logged = (action: string): number =>
        registry.audit
          .events({ since: 0, limit: 100_000 }, ANYBODY)
          .events.filter((one) => one.action === action).length;
      expect([logged('name_set'), logged('publish')], where).toEqual([
        names.all(ANYBODY).length,
        publications.list(true, ANYBODY).length,
      ]);
      const states = new Set(registry.list(ALL, ANYBODY).map(({ state }) => state));
      expect(states.has('building'), where).toBe(false);
    } finally {
      registry.close();
    }
  }
  // The interrupted change is repeated.
  const outcome = await run(0, null);
  expect([outcome.code, outcome.stderr]).toEqual([0, '']);
});

const ALL: ListQuery = {
  limit: 1_000,
  offset: 0,
  state: null,
  namePrefix: null,
  since: null,
  sort: 'created_at',
  order: 'asc',
};
