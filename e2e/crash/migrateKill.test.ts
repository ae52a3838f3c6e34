/**
 * Kills `svc artifact migrate` to a real PostgreSQL at each of its steps: the database then has the complete store or
 * nothing of it. Skipped without PostgreSQL.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATE_STEPS } from '../../src-main/registry/migrate/migrateStore.ts';
import { tableNames } from '../../src-main/registry/migrate/postgresTables.ts';
import { openRegistry } from '../../src-main/registry/registry.ts';
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../src-main/sql/testing/postgresServer.ts';
import { seeded } from '../support/seeded.ts';
import { svc } from '../support/svcCommand.ts';

const LIVES = Number(process.env['LIVES'] ?? (process.env['LONG'] === '1' ? 300 : MIGRATE_STEPS.length));
const SEED = Number(process.env['SEED'] ?? 20_260_727);
const ANYBODY = { tenant: '', principal: null, isAdmin: true };
const postgres = findPostgres();

describe.skipIf(postgres === null)('a migration and kill -9', () => {
  let root = '';
  let server: PostgresServer;
  let target: Client;
  let counts: Readonly<Record<string, number>> = {};
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-migrate-kill-'));
    const dir = join(root, 'store');
    const registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60 });
    for (let at = 0; at < 20; at += 1) {
      const blob = await registry.receiveJson([at]);
      const spec = { executor: 'x@v1', inputs: [], params: { at } };
      const { row } = await registry.put({ spec, blob }, ANYBODY);
      registry.names.set(`n/${at}`, row, ANYBODY);
      registry.tags.set(row, { key: 'k', value: String(at) }, ANYBODY);
      registry.pins.add(row, 'keep', ANYBODY);
    }
    registry.close();
    const source = new Sqlite(join(dir, 'registry.sqlite'));
    counts = Object.fromEntries(
      tableNames().map((name) => [
        name,
        Number(source.prepare(`SELECT count(*) FROM ${name}`).pluck().get()),
      ]),
    );
    source.close();
    server = await startPostgres(postgres ?? '');
    target = new Client({ ...server, database: 'postgres' });
    await target.connect();
  });
  afterAll(async () => {
    await target?.end();
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });

  const migrate = (killAt: string | null) => {
    const { host, port, user, password } = server;
    const dsn = `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/postgres`;
    const args = ['artifact', 'migrate', '--artifact-dir', join(root, 'store'), '--to-dsn', dsn];
    return svc(args, killAt === null ? {} : { env: { SVC_TEST_KILL_AT: killAt } });
  };
  /** The number of sessions: that of a killed program holds its lock until the database notices the kill. */
  const sessions = async (): Promise<number> => {
    const { rows } = await target.query(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'svc artifact migrate'",
    );
    return Number(rows[0].n);
  };
  /** The row counts of the tables that a server would read; null if there is no store. */
  const storedCounts = async (): Promise<Record<string, number> | null> => {
    const rowCounts: Record<string, number> = {};
    for (const name of tableNames()) {
      const { rows } = await target.query('SELECT to_regclass($1) IS NOT NULL AS there', [`public.${name}`]);
      if (rows[0].there !== true) continue;
      rowCounts[name] = Number((await target.query(`SELECT count(*) AS n FROM public.${name}`)).rows[0].n);
    }
    return Object.keys(rowCounts).length === 0 ? null : rowCounts;
  };

  it(`[RG-36] ${LIVES} kills leave the complete store or none in the database (seed ${SEED})`, {
    timeout: 120_000 + LIVES * 20_000,
  }, async () => {
    const random = seeded(SEED);
    let complete = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const step = MIGRATE_STEPS[life % MIGRATE_STEPS.length] ?? 'staged';
      // What an earlier attempt copied is not copied again, so only the first batch is certain to be copied.
      const killAt = `${step}:${step === 'batch_copied' ? 1 + Math.floor(random() * 2) : 1}`;
      const result = await migrate(killAt);
      await expect.poll(sessions).toBe(0);
      const where = `life ${life} at ${killAt}: ${result.stderr}`;
      const rowCounts = await storedCounts();
      if (result.code === 0 || step === 'moved') {
        expect(rowCounts, where).toEqual(counts);
        complete += 1;
        for (const name of tableNames()) await target.query(`DROP TABLE public.${name}`);
      } else {
        expect([result.signal, rowCounts], where).toEqual(['SIGKILL', null]);
      }
    }
    const result = await migrate(null);
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(await storedCounts()).toEqual(counts);
    expect(complete).toBeGreaterThan(0);
  });
});
