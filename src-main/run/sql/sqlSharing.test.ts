import { expect, it } from 'vitest';
import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import { hasCatalog, policyOf, readCell } from '../../sql/readCell.ts';
import { isShared } from '../team/sharing.ts';
import { plainSql } from '../testing/testStep.ts';
import { sqlSharing } from './sqlSharing.ts';
import type { UsableSql } from './sqlUse.ts';

interface Row {
  readonly source: string;
  readonly connection?: Record<string, unknown>;
  readonly use?: Partial<UsableSql>;
  readonly cacheable?: boolean;
  /** A part of the reason; absent: it is shared. */
  readonly refused?: string;
}

const MEMORY = { name: 'mem', driver: 'duckdb' };
/** `sales` is a data frame of another cell. */
const ROWS: Readonly<Record<string, Row>> = {
  computes: { source: 'SELECT 1 + 1 AS n' },
  'lists values': { source: 'VALUES (1), (2)' },
  'reads a data frame': { source: 'SELECT sum(v) AS v FROM sales' },
  'names a common table expression': { source: 'WITH a AS (SELECT 1 AS n) SELECT * FROM a' },
  'reads a table that is not a data frame': { source: 'SELECT * FROM other', refused: 'other' },
  'reads a table of another schema': { source: 'SELECT * FROM x.sales', refused: 'x.sales' },
  'reads a file': { source: "SELECT * FROM 'a.parquet'", refused: 'a.parquet' },
  'calls a function that reads files': { source: "SELECT * FROM read_csv('a.csv')", refused: 'read_csv' },
  'changes a setting': { source: 'SET threads = 1', refused: 'SET' },
  'attaches a database': { source: "ATTACH 'a.db' AS a; SELECT 1", refused: 'ATTACH' },
  'reads a setting': { source: "SELECT current_setting('threads')", refused: 'current_setting' },
  'reads a variable of the machine': { source: "SELECT getenv('HOME')", refused: 'getenv' },
  'reads the user without parentheses': { source: 'SELECT current_user', refused: 'current_user' },
  'has another driver': {
    source: 'SELECT 1',
    connection: { name: 'pg', driver: 'postgresql' },
    refused: 'pg',
  },
  'reads a file database': {
    source: 'SELECT 1',
    connection: { ...MEMORY, path: 'a.duckdb' },
    refused: 'the database of',
  },
  'shows mounts': { source: 'SELECT 1', connection: { ...MEMORY, mounts: ['lake'] }, refused: 'mounts' },
  'shows a catalog': { source: 'SELECT 1', connection: { ...MEMORY, catalog: 'lake' }, refused: 'catalog' },
  writes: { source: 'SELECT 1', use: { write: true }, refused: 'writes' },
  'is cached for a session': {
    source: 'SELECT 1',
    use: { policy: { kind: 'session' } },
    refused: 'for a time',
  },
  'is cached for seconds': {
    source: 'SELECT 1',
    use: { policy: { kind: 'ttl', seconds: 60 } },
    refused: 'for a time',
  },
  'is not cached': { source: 'SELECT 1', cacheable: false, refused: 'not cached' },
};

function sharingOf({ source, connection = MEMORY, use: changes = {}, cacheable = true }: Row) {
  const block = connection as Connection;
  const use: UsableSql = {
    connection: block,
    write: false,
    policy: policyOf(null, false),
    sessionId: 's',
    catalogs: {},
    ...changes,
  };
  // Statements that a reading cell refuses are parsed too.
  const mode = { write: true, policy: { kind: 'forever' } as const, hasCatalog: hasCatalog(block) };
  const statements = readCell(source, mode, block.driver as DriverName);
  const request = plainSql({ source, cacheable, sql: use });
  return sqlSharing(request, { use, statements, frames: ['sales'], key: 'k', engine: '1' });
}

it.each(Object.entries(ROWS))('[RG-33] a SQL cell that %s', (_what, row) => {
  const sharing = sharingOf(row);
  if (row.refused === undefined) expect(sharing).toMatchObject({ key: 'k', facts: 'covered' });
  else expect(sharing).toEqual({ why: expect.stringContaining(row.refused) });
});

it('[RG-33] results are shared among connections with the same settings, regardless of their names', () => {
  const runtime = (connection: Record<string, unknown>): string => {
    const sharing = sharingOf({ source: 'SELECT 1', connection });
    return isShared(sharing) ? sharing.runtime : sharing.why;
  };
  expect(runtime({ ...MEMORY, name: 'other' })).toBe(runtime(MEMORY));
  expect(runtime({ ...MEMORY, options: { TimeZone: 'Asia/Tokyo' } })).not.toBe(runtime(MEMORY));
});
