/**
 * PostgreSQL behind a connection pooler that refuses settings at connect: they are set in each transaction.
 * Real server, fake pooler.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Access, ConnectSettings, SqlConnection } from '../driver.ts';
import { boundSql, collect } from '../testing/bound.ts';
import { type Pooler, startPooler } from '../testing/pooler.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../testing/postgresServer.ts';
import { postgresql } from './driver.ts';

const bin = findPostgres();
const NEVER = new AbortController().signal;
let server: PostgresServer;
let pooler: Pooler;

describe.skipIf(bin === null)('PostgreSQL behind a pooler', () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    pooler = await startPooler(server.port);
    const admin = await connect('write', {});
    const setup = [
      'CREATE ROLE reader',
      'CREATE SCHEMA elsewhere',
      'GRANT ALL ON SCHEMA elsewhere TO reader',
    ];
    await admin.write(
      setup.map((sql) => boundSql(sql)),
      { signal: NEVER },
    );
    await admin.close();
  });
  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
  });

  test('[SW-32] settings that a pooler refuses at the start are set in every transaction', async () => {
    const before = pooler.refused();
    const keys = { search_path: 'elsewhere', role: 'reader' };
    const reader = await connect('read', keys);
    expect(pooler.refused()).toBe(before + 1);
    const sql = `SELECT current_setting('search_path'), current_user::text, '1 day'::interval, DATE '2024-02-29'`;
    expect(await rowsOf(reader, sql)).toEqual([['elsewhere', 'reader', '1 day', 19_782]]);
    await expect(rowsOf(reader, "SELECT set_config('transaction_read_only', 'off', true)")).rejects.toThrow(
      /read-write mode/,
    );
    await reader.close();
    const writer = await connect('write', keys);
    await writer.write([boundSql('CREATE TABLE mine (n int)')], { signal: NEVER });
    expect((await writer.schema(NEVER)).map(({ schema, name }) => [schema, name])).toEqual([
      ['elsewhere', 'mine'],
    ]);
    await writer.close();
  });
});

function connect(access: Access, keys: Record<string, unknown>): Promise<SqlConnection> {
  const settings: ConnectSettings = {
    name: 'pg',
    driver: 'postgresql',
    keys: { host: '127.0.0.1', port: pooler.port, user: server.user, database: 'postgres', ...keys },
    auth: { password: server.password },
    options: {},
    notebookDir: notebookFolder('/'),
    mounts: {},
  };
  return postgresql.connect(settings, { access, signal: NEVER });
}

async function rowsOf(connection: SqlConnection, sql: string) {
  return (await collect(await connection.query(boundSql(sql), { signal: NEVER, snapshot: null }))).rows;
}
