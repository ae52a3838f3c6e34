/**
 * The data plane under `kill -9`: scans are killed at each step of a build, a cache write and the
 * publication. Afterwards all reported results are exact, and no build is left pending.
 */

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick, seeded } from '../../e2e/support/seeded.ts';
import { PYTHON } from '../iceberg/testing/pyiceberg.ts';
import { PLANE_STEPS } from './planeSteps.ts';
import { KILLED_SCANS } from './testing/killedScans.ts';
import { openPlaneWorld, PERSON, type SharedTables, sharedPlaneTables } from './testing/planeWorld.ts';

const CHILD = fileURLToPath(new URL('./testing/planeChild.ts', import.meta.url));
/** The steps of the data plane, and those of the store that a build passes. */
const STEPS = [...PLANE_STEPS, 'received', 'placing', 'placed', 'row_finished'] as const;
const LIVES = Number(process.env['LIVES'] ?? (process.env['LONG'] === '1' ? 300 : 2));
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const SCANS = 4;

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

function run(args: readonly string[], killAt: string | null): Promise<Ended> {
  const env = { ...process.env, ...(killAt === null ? {} : { SVC_TEST_KILL_AT: killAt }) };
  const child = spawn(process.execPath, [CHILD, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

describe.skipIf(PYTHON === undefined)('kill -9 while tables are scanned', () => {
  let dir = '';
  let tables: SharedTables;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plane-kill-'));
    tables = await sharedPlaneTables();
  });
  afterAll(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  it(`[DP-97] ${LIVES} lives, seed ${SEED}: no wrong and no torn result`, {
    // Ends what hangs; a busy machine takes several times as long as a quiet one.
    timeout: 60_000 + LIVES * 60_000,
  }, async () => {
    const random = seeded(SEED);
    const results: { readonly nth: number; readonly uri: string }[] = [];
    const table = tables.uri('orders');
    const offset = Math.floor(random() * STEPS.length);
    let at = 0;
    /** Entries of the cache that killed servers left. */
    let entriesLeft = 0;
    for (let life = 0; life < LIVES; life += 1) {
      // Even a few lives reach steps of every kind; as many lives as steps reach each one.
      const step = STEPS[(offset + life * 4) % STEPS.length] ?? 'build_started';
      // A footer is stored once for each of the two files.
      const killAt = `${step}:${1 + Math.floor(random() * (step === 'footers_stored' ? 2 : SCANS - 1))}`;
      const outcome = await run([dir, table, String(at), String(SCANS)], killAt);
      const where = `life ${life} at ${killAt}: ${outcome.stderr}`;
      expect(outcome.signal, where).toBe('SIGKILL');
      for (const line of outcome.lines) {
        const [, nth, uri = ''] = line.split(' ');
        results.push({ nth: Number(nth), uri });
      }
      const metadataDb = join(dir, `meta-${at}.sqlite`);
      at += SCANS;
      const world = await openPlaneWorld({ metadataDb }, { dir });
      try {
        const registry = await world.registry.open();
        const { problems } = await registry.verify();
        expect(
          problems.filter(({ kind }) => kind !== 'orphaned'),
          where,
        ).toEqual([]);
        const all = registry.list(
          {
            limit: 100_000,
            offset: 0,
            state: 'building',
            namePrefix: null,
            since: null,
            sort: 'created_at',
            order: 'asc',
          },
          PERSON.party,
        );
        expect(all, where).toEqual([]);
        expect(
          readdirSync(join(dir, 'blobs')).filter((name) => name.startsWith('.incoming')),
          where,
        ).toEqual([]);
        const { cache } = await world.plane.cachePlane();
        entriesLeft += (await cache.entries()).length;
        // The newest ones, and some of the others.
        for (const { nth, uri } of [
          ...results.slice(-SCANS),
          pick(random, results.length === 0 ? [null] : results),
        ].flatMap((one) => one ?? [])) {
          expect(await world.stored(uri), `${where} ${uri}`).toEqual(KILLED_SCANS[nth]?.rows);
        }
        for (let more = 0; more < SCANS * 2; more += 1) {
          const nth = (at - SCANS + more) % KILLED_SCANS.length;
          const { params = {}, rows = [] } = KILLED_SCANS[nth] ?? {};
          // From the store if it has the result, then built again from the entries in the cache.
          const stored = await world.materialize([table], 'scan@v1', params);
          const served = stored.hit
            ? await world.stored(stored.artifact_uri)
            : await world.rows(stored.stream_id);
          expect(served, `${where} scan ${nth}`).toEqual(rows);
          const again = await world.materialize([table], 'scan@v1', params, { refresh: true });
          expect(await world.rows(again.stream_id), `${where} scan ${nth} again`).toEqual(rows);
        }
      } finally {
        await world.close();
      }
      // Otherwise the next life finds everything in the cache and writes nothing.
      await rm(join(dir, 'cache'), { recursive: true, force: true });
    }
    // The last child is not killed and repeats what was interrupted.
    const outcome = await run([dir, table, '0', String(SCANS)], null);
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    // Otherwise the cache was never tested.
    expect(entriesLeft).toBeGreaterThan(0);
  });
});
