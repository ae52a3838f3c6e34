import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src-shared/sql/dialect.ts';
import type { BindValue } from './bindValue.ts';
import { connectionId, type SqlKeyParts, sqlKey } from './sqlKey.ts';
import { readStatements } from './text/readStatements.ts';

const query = (text: string) => readStatements(text, DIALECTS.duckdb).map(({ tokens }) => tokens);
const bound = (...binds: BindValue[]) => ({ binds });

const BASE: SqlKeyParts = {
  query: query('SELECT a FROM t WHERE b = :b'),
  binds: [{ type: 'int', value: 1n }],
  connectionId: 'c',
  upstream: { b: 'digest' },
  salt: 'fingerprint',
  freshness: ['f=1'],
  schema: ['t(a INTEGER)'],
  lake: [],
};

const ROWS: readonly (readonly [what: string, change: Partial<SqlKeyParts>, isSame: boolean])[] = [
  ['no change', {}, true],
  ['key words in another case', { query: query('select a From t wHere b = :b') }, true],
  ['comments and white space', { query: query('SELECT a -- why\n  FROM /* t */ t\nWHERE b = :b') }, true],
  ['the case of a name', { query: query('SELECT A FROM t WHERE b = :b') }, false],
  ['the case of a name that is a key word', { query: query('SELECT a AS order FROM t') }, false],
  ['a text', { query: query("SELECT 'select' FROM t WHERE b = :b") }, false],
  ['a semicolon at the end', { query: query('SELECT a FROM t WHERE b = :b;') }, true],
  ['another statement', { query: query('SELECT a FROM t WHERE b = :b; SELECT 1') }, false],
  ['True for 1', bound({ type: 'bool', value: true }), false],
  ['1.0 for 1', bound({ type: 'float', value: 1 }), false],
  ["'1' for 1", bound({ type: 'text', value: '1' }), false],
  ['a decimal for 1', bound({ type: 'decimal', value: '1' }), false],
  ['NULL for 1', bound({ type: 'null', value: null }), false],
  ['another slot', bound({ type: 'int', value: 1n }, { type: 'int', value: 1n }), false],
  ['another connection', { connectionId: 'd' }, false],
  ['another value that it reads', { upstream: { b: 'another' } }, false],
  ['another salt', { salt: 'forever' }, false],
  ['other data', { freshness: ['f=2'] }, false],
  ['data without freshness', { freshness: null }, false],
  ['another column', { schema: ['t(a BIGINT)'] }, false],
  ['a mount', { lake: ['m:file:///m:fp'] }, false],
];

describe('[SQ-44] the key of a result', () => {
  test.each(ROWS)('after a change of %s', (_what, change, isSame) => {
    expect(sqlKey({ ...BASE, ...change }) === sqlKey(BASE)).toBe(isSame);
    expect(sqlKey(BASE)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('differs for 0 and -0, and for NaN and the infinities', () => {
    const keys = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) =>
      sqlKey({ ...BASE, ...bound({ type: 'float', value }) }),
    );
    expect(new Set(keys).size).toBe(5);
  });

  test('a connection is identified by its driver, its address and the name of its credential', () => {
    const ids = [
      connectionId('sqlite', { path: '/a' }, null),
      connectionId('duckdb', { path: '/a' }, null),
      connectionId('sqlite', { path: '/b' }, null),
      connectionId('sqlite', { path: '/a' }, 'lab'),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(connectionId('x', { a: 1, b: 2 }, null)).toBe(connectionId('x', { b: 2, a: 1 }, null));
  });
});
