/**
 * The PostgreSQL driver keeps the contract of all SQL drivers, against a real server; the rows are its types
 * and bound values.
 */

import { afterAll, beforeAll, describe } from 'vitest';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ConnectSettings } from '../driver.ts';
import { driverContract } from '../testing/driverContract.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../testing/postgresServer.ts';
import { postgresql } from './driver.ts';

const bin = findPostgres();
let server: PostgresServer;

describe.skipIf(bin === null)('PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
  });
  afterAll(() => server?.stop());

  driverContract('postgresql', {
    driver: postgresql,
    settings,
    types: [
      ['true', 'bool', true],
      ['(-32768)::int2', 'int16', -32_768],
      ['2147483647', 'int32', 2_147_483_647],
      ['(-9223372036854775808)::int8', 'int64', '-9223372036854775808'],
      ['1.5::float4', 'float', 1.5],
      ["'NaN'::float8", 'double', 'nan'],
      ["'-Infinity'::float8", 'double', '-inf'],
      ['(-12.340)::numeric', 'decimal128(38, 3)', '-12.340'],
      [
        '1234567890123456789012345678901234567890.5::numeric',
        'decimal256(41, 1)',
        '1234567890123456789012345678901234567890.5',
      ],
      ["'it''s 🐘'::text", 'string', "it's 🐘"],
      ["''::text", 'string', ''],
      ["'\\x00ff10'::bytea", 'binary', "b'\\x00\\xff\\x10'"],
      ["'2024-02-29'::date", 'date32[day]', '2024-02-29'],
      ["'13:05:09.00012'::time", 'time64[us]', '13:05:09.000120'],
      ["'2024-02-29 13:05:09.000001'::timestamp", 'timestamp[us]', '2024-02-29 13:05:09.000001'],
      ["'2024-02-29 13:05:09+05:30'::timestamptz", 'timestamp[us, tz=UTC]', '2024-02-29 07:35:09+00:00'],
      ["'1 day 04:05:06'::interval", 'string', '1 day 04:05:06'],
      ["'2f4b3c1d-0000-4000-8000-000000000001'::uuid", 'string', '2f4b3c1d-0000-4000-8000-000000000001'],
      ['\'{"a": [1, null]}\'::jsonb', 'string', '{"a": [1, null]}'],
      ['ARRAY[1, NULL, 3]', 'list<item: int32>', [1, null, 3]],
      ["'{}'::text[]", 'list<item: string>', []],
    ],
    bound: [
      [{ type: 'null', value: null }, null],
      [{ type: 'bool', value: true }, true],
      [{ type: 'int', value: 7n }, 7],
      [{ type: 'int', value: -9_223_372_036_854_775_808n }, '-9223372036854775808'],
      [{ type: 'float', value: 0.1 }, 0.1],
      [{ type: 'text', value: '' }, ''],
      [{ type: 'bytes', value: new Uint8Array([0, 39, 255]) }, "b'\\x00\\x27\\xff'"],
      [{ type: 'decimal', value: '-12.340' }, '-12.340'],
      [
        { type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' },
        '2f4b3c1d-0000-4000-8000-000000000001',
      ],
      [{ type: 'timestamp', value: '2024-02-29T13:05:09.000120' }, '2024-02-29 13:05:09.000120'],
      [{ type: 'timestamp', value: '2024-02-29T13:05:09Z' }, '2024-02-29 13:05:09+00:00'],
      [{ type: 'date', value: '2024-02-29' }, '2024-02-29'],
      [{ type: 'time', value: '13:05:09.000120' }, '13:05:09.000120'],
    ],
    slow: 'SELECT pg_sleep(600)',
  });
});

function settings(folder: NotebookFolder): ConnectSettings {
  const database = folder.endsWith('elsewhere') ? 'elsewhere' : 'postgres';
  return {
    name: 'pg',
    driver: 'postgresql',
    keys: { host: server.host, port: server.port, user: server.user, database },
    auth: { password: server.password },
    options: {},
    notebookDir: folder,
    mounts: {},
  };
}
