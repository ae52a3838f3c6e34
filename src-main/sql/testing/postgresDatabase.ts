/** A PostgreSQL server with tables, types and roles for the tests of one file. */

import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { Access, ConnectSettings, SqlConnection } from '../driver.ts';
import { postgresql } from '../postgresql/driver.ts';
import { disposable, NEVER } from './helpers.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgresServer.ts';

/** A real server with tables, types and roles, started before the tests of a file and stopped after them. */
interface PostgresDatabase {
  settings(keys?: Record<string, unknown>): ConnectSettings;
  open(access?: Access, keys?: Record<string, unknown>): Promise<SqlConnection & AsyncDisposable>;
  /** A connection of the owner that does not use the driver. */
  admin(): Client;
  server(): PostgresServer;
  /** The number of sessions that run a statement that is LIKE the pattern. */
  busy(like: string): Promise<number>;
}

/** Call this in a `describe` that is skipped without PostgreSQL. */
export function postgresDatabase(): PostgresDatabase {
  let server: PostgresServer;
  let admin: Client;
  const login = () => ({ host: server.host, port: server.port, user: server.user, database: 'postgres' });

  beforeAll(async () => {
    server = await startPostgres(findPostgres() ?? '');
    admin = new Client({ ...login(), password: server.password });
    await admin.connect();
    await admin.query(CONTENT);
  }, 60_000);

  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const settings = (keys: Record<string, unknown> = {}): ConnectSettings => ({
    name: 'pg',
    driver: 'postgresql',
    keys: { ...login(), ...keys },
    auth: { password: server.password },
    options: {},
    notebookDir: notebookFolder('/'),
    mounts: {},
  });
  return {
    settings,
    open: async (access = 'read', keys = {}) =>
      disposable(await postgresql.connect(settings(keys), { access, signal: NEVER })),
    admin: () => admin,
    server: () => server,
    busy: async (like) => {
      const { rows } = await admin.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid() AND state = 'active'`,
        [like],
      );
      return rows[0].n;
    },
  };
}

const CONTENT = `
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE DOMAIN positive AS int CHECK (VALUE > 0);
  CREATE TYPE item AS (n int, label text, at timestamptz, list int[]);
  CREATE TABLE ev (id int, v float8);
  INSERT INTO ev VALUES (1, 1.5), (2, 2.5), (3, 3.5);
  CREATE TABLE people (id int NOT NULL, name varchar(20));
  CREATE TABLE scratch (n int);
  CREATE TABLE moved (n int);
  CREATE VIEW ev_view AS SELECT id, v FROM ev WHERE id > 1;
  CREATE MATERIALIZED VIEW ev_kept AS SELECT id FROM ev;
  CREATE TABLE parts (n int) PARTITION BY RANGE (n);
  CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (100);
  CREATE SEQUENCE counter;
  CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM ev; RETURN 1; END';
  CREATE VIEW sneaky_view AS SELECT sneak();
  CREATE SCHEMA elsewhere;
  CREATE TABLE elsewhere.ev (id text);
  CREATE ROLE reader;
  GRANT SELECT ON people TO reader;
  REVOKE ALL ON ev FROM PUBLIC;
`;
