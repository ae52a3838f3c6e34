/**
 * The SQLite driver: the contract of all SQL drivers with its types, then columns of mixed values, invalid
 * connections and unusable files.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { writeTable } from '../arrow/writeTable.ts';
import type { ConnectSettings } from '../driver.ts';
import { RetryQuery } from '../retryQuery.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql } from '../testing/bound.ts';
import { driverContract } from '../testing/driverContract.ts';
import { sqlite } from './sqliteDriver.ts';

const NEVER = new AbortController().signal;

function settings(
  folder: NotebookFolder,
  keys: ConnectSettings['keys'] = { path: 'test.db' },
): ConnectSettings {
  return { name: 'db', driver: 'sqlite', keys, auth: {}, options: {}, notebookDir: folder, mounts: {} };
}

driverContract('sqlite', {
  driver: sqlite,
  settings,
  types: [
    ['1', 'int64', 1],
    ['9223372036854775807', 'int64', '9223372036854775807'],
    ['-9223372036854775808', 'int64', '-9223372036854775808'],
    ['1.5', 'double', 1.5],
    ['9e999', 'double', 'inf'],
    ["'it''s 🐘'", 'string', "it's 🐘"],
    ["''", 'string', ''],
    ["x'00ff10'", 'binary', "b'\\x00\\xff\\x10'"],
    ["date('2024-02-29')", 'string', '2024-02-29'],
    [`json('{"a": [1, null]}')`, 'string', '{"a":[1,null]}'],
  ],
  bound: [
    [{ type: 'null', value: null }, null],
    [{ type: 'bool', value: true }, 1],
    [{ type: 'int', value: -9_223_372_036_854_775_808n }, '-9223372036854775808'],
    [{ type: 'float', value: 1 }, 1],
    [{ type: 'text', value: '' }, ''],
    [{ type: 'bytes', value: new Uint8Array([0, 39, 255]) }, "b'\\x00\\x27\\xff'"],
    [{ type: 'decimal', value: '-12.340' }, '-12.340'],
    [{ type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' }, '2f4b3c1d-0000-4000-8000-000000000001'],
    [{ type: 'timestamp', value: '2024-02-29T13:05:09.000120' }, '2024-02-29 13:05:09.000120'],
    [{ type: 'timestamp', value: '2024-02-29T13:05:09Z' }, '2024-02-29 13:05:09+00:00'],
    [{ type: 'date', value: '2024-02-29' }, '2024-02-29'],
    [{ type: 'time', value: '13:05:09.000120' }, '13:05:09.000120'],
  ],
  slow: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
});

const MIXED: readonly (readonly [name: string, values: string, dtype: string, expected: unknown[]])[] = [
  ['integers and floats', '(1), (2.5)', 'double', [1, 2.5]],
  [
    'an integer that no float represents exactly',
    '(2.5), (9007199254740993)',
    'string',
    ['2.5', '9007199254740993'],
  ],
  ['text among numbers', "(1), ('x')", 'string', ['1', 'x']],
  ['bytes among text', "('a'), (x'ff')", 'binary', [Buffer.from('a'), Buffer.from([255])]],
  ['nothing', '(NULL), (NULL)', 'null', [null, null]],
];

test.each(MIXED)(
  '[SQ-21] a column of mixed values loses none: %s',
  async (_name, values, dtype, expected) => {
    const folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-mixed-')));
    try {
      const database = new Database(join(folder, 'test.db'));
      // The mixed values come after 3000 NULLs, long after the type of the column was decided.
      database.exec(`CREATE TABLE t (o INTEGER PRIMARY KEY, x);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t (x) SELECT NULL FROM n; INSERT INTO t (x) VALUES ${values}`);
      database.close();
      const connection = await sqlite.connect(settings(folder), { access: 'read', signal: NEVER });
      const bound = boundSql('SELECT x FROM t ORDER BY x IS NOT NULL, o');
      for (let attempt = 0; ; attempt += 1) {
        try {
          const stream = await connection.query(bound, { signal: NEVER, snapshot: null });
          const rows: unknown[] = [];
          for await (const batch of stream.batches)
            if (!('write' in batch)) rows.push(...batch.map(([x]) => x));
          expect(rows.slice(-2)).toEqual(expected);
          break;
        } catch (error) {
          if (!(error instanceof RetryQuery) || attempt > 5) throw error;
        }
      }
      const again = await connection.query(bound, { signal: NEVER, snapshot: null });
      const table = await writeTable(again, join(folder, 'x.arrow'), NEVER);
      expect(table.schema).toEqual([{ name: 'x', dtype }]);
      await connection.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const INVALID: readonly (readonly [keys: ConnectSettings['keys'], message: RegExp])[] = [
  [{}, /needs path/],
  [{ path: 7 }, /needs text for path/],
  [{ path: 'not/there.db' }, /refers to a file that does not exist:/],
  [{ path: '.' }, /refers to a folder, not a file:/],
  [{ uri: 'http://x/y' }, /has an invalid SQLite uri\. Write file:data\.db, or use path\./],
];
test.each(INVALID)(
  '[SQ-22] the error of an invalid connection explains what to fix: %j',
  async (keys, message) => {
    const connecting = sqlite.connect(settings(notebookFolder(tmpdir()), keys), {
      access: 'read',
      signal: NEVER,
    });
    await expect(connecting).rejects.toThrow(message);
  },
);

/** How a database file is made unusable, and the hint of the error. */
const UNUSABLE: readonly (readonly [name: string, spoil: (file: string) => () => void, hint: RegExp])[] = [
  [
    'not a database',
    (file) => {
      writeFileSync(file, 'not a database, and longer than a header would be'.repeat(4));
      return () => undefined;
    },
    /This is not an SQLite file, or it is encrypted\. Check the path of the connection\./,
  ],
  [
    'locked by another program',
    (file) => {
      const other = new Database(file);
      other.exec('BEGIN EXCLUSIVE');
      return () => void other.close();
    },
    /Another program is writing to this file/,
  ],
];
test.each(UNUSABLE)('[SQ-22] every call reports a file that is %s', async (_name, spoil, hint) => {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-spoilt-'));
  const file = join(folder, 'test.db');
  new Database(file).exec('CREATE TABLE t (x)').close();
  const release = spoil(file);
  const table = { parts: ['t'], quoted: [false], start: 0, end: 1 };
  for (const call of ['freshness', 'schemaFingerprint', 'schema', 'query'] as const) {
    const result = (async () => {
      const of = { ...settings(notebookFolder(folder)), options: { timeout: 0 } };
      const connection = await sqlite.connect(of, { access: 'read', signal: NEVER });
      try {
        if (call === 'query') {
          const stream = await connection.query(boundSql('SELECT * FROM t'), {
            signal: NEVER,
            snapshot: null,
          });
          for await (const _ of stream.batches);
        } else if (call === 'schema') await connection.schema(NEVER);
        else await connection[call]([table], NEVER);
      } finally {
        await connection.close();
      }
    })();
    const error = await result.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect([call, error]).toEqual([call, expect.any(SqlError)]);
    expect([call, (error as SqlError).hint]).toEqual([call, expect.stringMatching(hint)]);
  }
  release();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  [{ path: 'a.db' }, { path: '/nb/a.db' }],
  [{ path: '/x/a.db' }, { path: '/x/a.db' }],
  [{ uri: 'file:a.db?mode=ro&immutable=1' }, { path: '/nb/a.db' }],
  [{ uri: 'file:///x/a%20b.db?mode=rw&vfs=unix' }, { path: '/x/a b.db', parameters: 'vfs=unix' }],
])('[SQ-20] the identity of SQLite is its file, regardless of how it is opened: %j', (keys, identity) => {
  expect(sqlite.identity(settings(notebookFolder('/nb'), keys), 'read')).toEqual(identity);
});
