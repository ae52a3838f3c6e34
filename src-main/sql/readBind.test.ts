import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { BindValue } from './bindValue.ts';
import { readBind } from './readBind.ts';

const folder = mkdtempSync(join(tmpdir(), 'cellar-bind-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A stored value, and the bound value or the error message. */
const ROWS: readonly (readonly [contentType: string, stored: string, found: BindValue | RegExp])[] = [
  ['json/object', 'null', { type: 'null', value: null }],
  ['json/object', 'true', { type: 'bool', value: true }],
  ['json/object', '1', { type: 'int', value: 1n }],
  ['json/object', '-9223372036854775808', { type: 'int', value: -(2n ** 63n) }],
  ['json/object', '1.0', { type: 'float', value: 1 }],
  ['json/object', '1e3', { type: 'float', value: 1000 }],
  ['json/object', 'NaN', { type: 'float', value: Number.NaN }],
  ['json/object', '-Infinity', { type: 'float', value: Number.NEGATIVE_INFINITY }],
  ['json/object', '""', { type: 'text', value: '' }],
  ['json/object', '"1"', { type: 'text', value: '1' }],
  ['json/object', '9223372036854775808', /^:x is an integer of more than 64 bits/],
  ['json/object', '"a\\ud800"', /^:x contains half a character/],
  ['json/object', '[1]', /^:x is a list\. A placeholder takes None, bool, int/],
  ['json/object', '{"a": 1}', /^:x is a dict\./],
  ['pickle/object', '', /^:x is a pickle\/object value\./],
  ['application/x-r-rds', '', /^:x is a application\/x-r-rds value\./],
  ['module/cell', '{}', /^:x is a module\/cell value\./],
  ['arrow/ipc', '{"kind": "dataframe"}', /^:x is a table\./],
];
test.each(ROWS)('[SQ-25] %s %s', (contentType, stored, expected) => {
  const path = join(folder, 'value');
  writeFileSync(path, stored);
  const read = () => readBind('x', { contentType, path });
  if (expected instanceof RegExp) expect(read).toThrow(expected);
  else expect(read()).toEqual(expected);
});
