/** Tests `svc artifact migrate`, which copies an artifact store from SQLite into a real PostgreSQL. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MigrateOptions, migrateStore } from '../../src-main/registry/migrate/migrateStore.ts';
import { tableNames } from '../../src-main/registry/migrate/postgresTables.ts';
import { openRegistry } from '../../src-main/registry/registry.ts';
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../src-main/sql/testing/postgresServer.ts';
import { svc } from '../support/svcCommand.ts';

const ANYBODY = { tenant: '', principal: 'ann', isAdmin: true };
const postgres = findPostgres();

describe.skipIf(postgres === null)('[RG-35] svc artifact migrate', () => {
  let root = '';
  let server: PostgresServer;
  let target: Client;
  let databaseCount = 0;
  const login = () => ({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
  });
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-migrate-'));
    server = await startPostgres(postgres ?? '');
    await storeIn(join(root, 'store'));
  });
  afterAll(async () => {
    await target?.end();
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await target?.end();
    const admin = new Client({ ...login(), database: 'postgres' });
    await admin.connect();
    databaseCount += 1;
    await admin.query(`CREATE DATABASE d${databaseCount}`);
    await admin.end();
    target = new Client({ ...login(), database: `d${databaseCount}` });
    await target.connect();
  });

  const options = (changes: Partial<MigrateOptions> = {}): MigrateOptions => ({
    dryRun: false,
    allowNonempty: false,
    onStep: () => undefined,
    batch: 3,
    ...changes,
  });
  const opened = async <T>(work: (source: Database) => Promise<T>): Promise<T> => {
    const source = new Sqlite(join(root, 'store/registry.sqlite'));
    try {
      return await work(source);
    } finally {
      source.close();
    }
  };
  const migrated = (changes?: Partial<MigrateOptions>) =>
    opened((source) => migrateStore(source, target, options(changes)));
  const countsThere = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const name of tableNames()) {
      const { rows } = await target.query('SELECT to_regclass($1) IS NOT NULL AS there', [`public.${name}`]);
      if (rows[0].there === true) {
        counts[name] = Number((await target.query(`SELECT count(*) AS n FROM ${name}`)).rows[0].n);
      }
    }
    return counts;
  };
  const countsHere = () =>
    opened(async (source) =>
      Object.fromEntries(
        tableNames().map((name) => [
          name,
          Number(source.prepare(`SELECT count(*) FROM ${name}`).pluck().get()),
        ]),
      ),
    );

  it('copies every row, with its constraints and the next number of the audit', async () => {
    const { tables, resumed, copied } = await migrated();
    const counts = await countsHere();
    expect(Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))).toEqual(counts);
    expect([resumed, copied]).toEqual([0, Object.values(counts).reduce((sum, count) => sum + count, 0)]);
    expect(await countsThere()).toEqual(counts);
    const { rows } = await target.query('SELECT name, artifact_id FROM artifact_names ORDER BY name');
    expect(rows).toEqual([
      { name: 'team/é', artifact_id: 'ä' },
      { name: 'zeta', artifact_id: 'Z' },
    ]);
    await expect(
      target.query(`INSERT INTO artifact_versions (id, version, state, provenance_hash, created_at)
        VALUES ('new', 1, 'ready', '${'5a'.padEnd(64, '0')}', 1)`),
    ).rejects.toThrow('artifact_one_ready');
    const next = await target.query(
      "INSERT INTO registry_audit (at, action, tenant) VALUES (1, 'x', '') RETURNING seq",
    );
    expect(Number(next.rows[0].seq)).toBe((counts['registry_audit'] ?? 0) + 1);
  });

  it('only counts on a dry run', async () => {
    expect(
      (await migrated({ dryRun: true })).tables.find(({ name }) => name === 'artifact_names')?.rows,
    ).toBe(2);
    expect(await countsThere()).toEqual({});
  });

  it('continues after an interruption, also if the store has changed since then', async () => {
    let batches = 0;
    const stop = migrated({
      onStep: (step) => {
        if (step === 'batch_copied') batches += 1;
        if (batches === 3) throw new Error('stopped');
      },
    });
    await expect(stop).rejects.toThrow('stopped');
    expect(await countsThere()).toEqual({});
    await opened(async (source) => {
      source.prepare("UPDATE artifact_versions SET principal = 'bob' WHERE id = 'Z'").run();
    });
    const { resumed } = await migrated();
    expect(resumed).toBeGreaterThan(0);
    expect(await countsThere()).toEqual(await countsHere());
    const { rows } = await target.query("SELECT principal FROM artifact_versions WHERE id = 'Z'");
    expect(rows).toEqual([{ principal: 'bob' }]);
  });

  it('refuses a database that has a store, and adds to it on request unless a row differs', async () => {
    await migrated();
    await expect(migrated()).rejects.toThrow('--allow-nonempty-target');
    await target.query("INSERT INTO artifact_names VALUES ('', 'own', 'x', 1, 1)");
    await migrated({ allowNonempty: true });
    expect((await countsThere())['artifact_names']).toBe(3);
    await target.query("UPDATE artifact_names SET version = 9 WHERE name = 'zeta'");
    await expect(migrated({ allowNonempty: true })).rejects.toThrow(
      /^1 rows of artifact_names have the same key/,
    );
  });

  it('refuses a store of a newer version, and a second migration at the same time', async () => {
    await migrated();
    await target.query('INSERT INTO schema_version VALUES (99, 1)');
    await expect(migrated({ allowNonempty: true })).rejects.toThrow('newer version of Cellar');
    await target.query('DELETE FROM schema_version WHERE version = 99');
    const other = new Client({ ...login(), database: `d${databaseCount}` });
    await other.connect();
    try {
      await other.query('SELECT pg_advisory_lock(7246001)');
      await expect(migrated({ allowNonempty: true })).rejects.toThrow('Another migration');
    } finally {
      await other.end();
    }
  });

  it('runs as a command, and shows no password when it fails', async () => {
    const dsn = (password: string) =>
      `postgresql://${server.user}:${encodeURIComponent(password)}@${server.host}:${server.port}/d${databaseCount}`;
    const run = (password: string) =>
      svc([
        'artifact',
        'migrate',
        '--artifact-dir',
        join(root, 'store'),
        '--to-dsn',
        dsn(password),
        '--format',
        'json',
      ]);
    const done = await run(server.password);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({ resumed: 0, dry_run: false });
    const failed = await run('wrong-password-123');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('password authentication failed');
    expect(failed.stderr).not.toContain('wrong-password-123');
  });
});

/** Writes a store with rows whose order differs between byte order and the collations of languages. */
async function storeIn(dir: string): Promise<void> {
  const registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60 });
  for (const [at, id] of ['a', 'B', 'Z', 'b', 'ä', 'z', 'a-1', 'a_1'].entries()) {
    const blob = await registry.receiveJson([at]);
    await registry.importVersion(
      {
        id,
        version: 1,
        createdAt: 1.25 + at,
        state: 'ready',
        remap: false,
        schemaJson: null,
        rowCount: 1,
        byteSize: null,
        principal: 'ann',
        contentSha256: null,
        contentType: null,
        blob,
        provenanceHash: Buffer.from(id).toString('hex').padEnd(64, '0'),
        transformSpec: { executor: 'x@v1', params: { text: 'ü"\n' } },
        inputVersions: at === 0 ? {} : { 'svc://artifact/a@v=1': 'a@v=1' },
      },
      ANYBODY,
    );
  }
  registry.names.set('team/é', { id: 'ä', version: 1 }, ANYBODY);
  registry.names.set('zeta', { id: 'Z', version: 1 }, ANYBODY);
  registry.tags.set({ id: 'a', version: 1 }, { key: 'k', value: 'v' }, ANYBODY);
  registry.pins.add({ id: 'b', version: 1 }, 'keep', ANYBODY);
  registry.publications.publish(
    { id: 'B', version: 1 },
    { title: 'B', authors: [], externalIds: [] },
    ANYBODY,
  );
  registry.close();
}
