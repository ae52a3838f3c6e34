/**
 * Bench rows of cancelled SQL queries, for DuckDB, SQLite and, if installed, PostgreSQL: the slowest of many cancels
 * until the cell is free (target: 100 ms).
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { findPostgres, startPostgres } from '../../../src-main/sql/testing/postgresServer.ts';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openNotebook } from '../../support/openNotebook.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import type { Group } from '../row.ts';

/** Queries that do not end in any useful time. */
const DUCKDB =
  'SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE (a.range * b.range) % 7 = 3';
const SQLITE = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
const POSTGRESQL = 'SELECT count(*) FROM generate_series(1, 10000000000) AS t';
/** The ms that a query has run when it is cancelled; the values are used in turn. */
const AFTER_MS = [0, 5, 40, 200];

export const sqlCancelRows: Group = {
  title: 'SQL cancels',
  async run(record, { smoke }) {
    const root = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const bin = findPostgres();
    const postgres = bin === null ? null : await startPostgres(bin);
    const connections = [
      '[connections.mem]\ndriver = "duckdb"',
      '[connections.lite]\ndriver = "sqlite"\npath = "a.db"',
    ];
    const rows: [name: string, cell: string, connection: string, query: string][] = [
      ['cancel, DuckDB', 'duck', 'mem', DUCKDB],
      ['cancel, SQLite', 'lite', 'lite', SQLITE],
    ];
    if (postgres === null) process.stderr.write('bench: no PostgreSQL on this machine, it is not measured\n');
    else {
      const { host, port, user } = postgres;
      const block = `driver = "postgresql"\nhost = "${host}"\nport = ${port}\ndatabase = "postgres"\nuser = "${user}"`;
      connections.push(`[connections.pg]\n${block}\n[connections.pg.auth]\npassword = "\${BENCH_PASSWORD}"`);
      rows.push(['cancel, PostgreSQL', 'pg', 'pg', POSTGRESQL]);
    }
    const path = await writeNotebook(join(root, 'cancels'), {
      toml: `\n${connections.join('\n\n')}\n`,
      cells: rows.map(([, id, connection, query]) => ({
        id,
        language: 'sql',
        source: `# @sql connection=${connection}\n${query}`,
      })),
    });
    new Database(join(path, 'a.db')).exec('CREATE TABLE t (i INTEGER)').close();
    const env = postgres === null ? {} : { BENCH_PASSWORD: postgres.password };
    const server = await startServerProcess({ grants: [root], env });
    const open = await openNotebook(server, path);
    const live = await connectLive(server.url, open.sid);
    for (const [name, cell] of rows) {
      const samples: number[] = [];
      for (let i = 0; i < (smoke ? 8 : 60); i++) {
        samples.push(await cancelled(live, cell, AFTER_MS[i % AFTER_MS.length] ?? 0));
      }
      record(name, [Math.max(...samples)]);
    }
    await live.close();
    await open.close();
    await server.dispose();
    await postgres?.stop();
    await rm(root, { recursive: true, force: true });
  },
};

async function cancelled(live: LiveClient, cell: string, afterMs: number): Promise<number> {
  const since = live.mark();
  live.send('cell_execute', { cell_id: cell });
  await live.next('cell_status', { since, where: (p) => p.cell_id === cell && p.status === 'running' });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const at = live.mark();
  const startedAt = performance.now();
  live.send('cell_cancel', { cell_id: cell });
  await live.next('cell_status', { since: at, where: (p) => p.cell_id === cell && p.status === 'idle' });
  return performance.now() - startedAt;
}
