import { expect, test } from 'vitest';
import type { ColumnKind } from './columnKind.ts';
import { draftOf, filterOfDraft } from './conditionDraft.ts';
import type { Filter } from './tableQuery.ts';

test.each<readonly [ColumnKind, Filter]>([
  ['number', { col: 'c', op: 'between', value: 1, value2: 2 }],
  ['number', { col: 'c', op: 'in', values: [1, 2] }],
  ['text', { col: 'c', op: 'regex', value: '(?i)^a' }],
  ['text', { col: 'c', op: 'is_null' }],
  ['bool', { col: 'c', op: 'eq', value: false }],
  ['temporal', { col: 'c', op: 'ge', value: '2025-01-01' }],
])('[TB-8] a condition on a column of kind %s is opened and read back: %j', (kind, filter) => {
  expect(filterOfDraft(draftOf('c', kind, filter), kind)).toEqual({ kind: 'filter', filter });
});

test.each<readonly [what: string, kind: ColumnKind, change: object, at: number, words: RegExp]>([
  ['no number', 'number', { op: 'eq', texts: ['x', ''] }, 0, /number/],
  ['no end', 'number', { op: 'between', texts: ['1', ''] }, 1, /number/],
  ['no text', 'text', { op: 'contains' }, 0, /value/],
  ['no value of a list', 'text', { op: 'in' }, 0, /at least one/],
  ['no pattern', 'text', { op: 'regex', texts: ['(', ''] }, 0, /regular expression/],
])('[TB-8] %s is reported at its field', (_what, kind, change, at, words) => {
  const result = filterOfDraft({ ...draftOf('c', kind, null), ...change }, kind);
  expect(result).toEqual({ kind: 'problem', at, words: expect.stringMatching(words) });
});

test('an operator that the column does not have is dropped', () => {
  expect(draftOf('c', 'bool', { col: 'c', op: 'gt', value: 3 })).toMatchObject({
    op: 'eq',
    texts: ['true', ''],
  });
});
