/**
 * How long SQL results stay valid: the cache policy's part of the key (salt), and the tables that are checked
 * for changes.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CachePolicy } from '../../../src-shared/notebook/annotation.ts';
import { policyOf, readCell } from '../../sql/readCell.ts';
import { policySalt, tablesOfStatements } from './keyInputs.ts';
import { writeStatusTable } from './tableResult.ts';

const salt = (policy: CachePolicy, sessionId: string, now: number) =>
  policySalt({ connection: null, problem: '', write: false, policy, sessionId, catalogs: {} }, now);

/** Two moments and sessions, and whether the policy's part of the key is the same in both. */
const SALTS: readonly (readonly [CachePolicy, [string, number], [string, number], boolean])[] = [
  [{ kind: 'fingerprint' }, ['s', 0], ['t', 9e12], true],
  [{ kind: 'forever' }, ['s', 0], ['t', 9e12], true],
  [{ kind: 'snapshot' }, ['s', 0], ['t', 9e12], true],
  [{ kind: 'session' }, ['s', 0], ['s', 9e12], true],
  [{ kind: 'session' }, ['s', 0], ['t', 0], false],
  [{ kind: 'ttl', seconds: 60 }, ['s', 120_000], ['t', 179_999], true],
  [{ kind: 'ttl', seconds: 60 }, ['s', 179_999], ['s', 180_000], false],
];
test.each(SALTS)('[SQ-27] %j of %j and of %j', (policy, a, b, isSame) => {
  expect(salt(policy, ...a) === salt(policy, ...b)).toBe(isSame);
});

test('[SQ-27] different policies have different keys, and so have different durations', () => {
  const policies: CachePolicy[] = [
    { kind: 'fingerprint' },
    { kind: 'forever' },
    { kind: 'snapshot' },
    { kind: 'session' },
    { kind: 'ttl', seconds: 1 },
    { kind: 'ttl', seconds: 2 },
  ];
  expect(new Set(policies.map((policy) => salt(policy, 's', 0))).size).toBe(policies.length);
});

test.each([
  [null, false, 'fingerprint'],
  [null, true, 'session'],
  [{ kind: 'forever' } as const, true, 'forever'],
])('[SQ-27] %j of a cell that writes (%s) means %s', (written, write, kind) => {
  expect(policyOf(written, write).kind).toBe(kind);
});

const cell = (text: string) =>
  readCell(
    `# @sql connection=db write=true\n${text}`,
    { write: true, policy: { kind: 'session' }, hasCatalog: false },
    'sqlite',
  );

test('[SQ-7] the tables of all statements are checked once, common table expressions never', () => {
  const analysis = cell('SELECT * FROM a; WITH c AS (SELECT * FROM b) SELECT * FROM c, a; SELECT * FROM "a"');
  expect(tablesOfStatements(analysis).map(({ parts, quoted }) => [parts.join('.'), quoted])).toEqual([
    ['a', [false]],
    ['b', [false]],
    ['a', [true]],
  ]);
});

test('[SQ-18] the table of a write: statements from 1, their kind, rows of those that change rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-status-'));
  const statements = cell(
    'CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); DELETE FROM t; DROP TABLE t',
  );
  const done = [null, 1n, 0n, null].map((rowsAffected) => ({ rowsAffected }));
  const { schema, head } = await writeStatusTable(statements, done, folder);
  rmSync(folder, { recursive: true });
  expect(schema).toEqual([
    { name: 'stmt', dtype: 'int32' },
    { name: 'kind', dtype: 'string' },
    { name: 'rows_affected', dtype: 'int64' },
  ]);
  expect(head).toEqual([
    [1, 'CREATE TABLE', null],
    [2, 'INSERT', 1n],
    [3, 'DELETE', 0n],
    [4, 'DROP TABLE', null],
  ]);
});
