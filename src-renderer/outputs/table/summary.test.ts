import { expect, test } from 'vitest';
import type { ColumnKind } from './columnKind.ts';
import { summaryLine, summarySentence } from './summary.ts';

const base = { name: 'a', nulls: 0, distinct: 412 };

test.each<[object, ColumnKind, string, string]>([
  [{ dtype: 'string' }, 'text', 'text · 412', 'string, 0 null, 412 distinct'],
  [{ dtype: 'string', nulls: 1_200 }, 'text', 'text · 412 · 1,200 null', 'string, 1,200 null, 412 distinct'],
  [{ dtype: 'double', min: 0.4, max: 310 }, 'number', '0.4 – 310', 'double, 0 null, 412 distinct, 0.4 – 310'],
  [{ dtype: 'int64', min: null, max: null }, 'number', 'int · 412', 'int64, 0 null, 412 distinct'],
  [
    { dtype: 'timestamp[us]', min: '2025-01-01 00:00:00', max: '2025-12-31 00:00:00' },
    'temporal',
    'timestamp',
    'timestamp[us], 0 null, 412 distinct, 2025-01-01 – 2025-12-31',
  ],
  [{ dtype: 'bool', distinct: 2 }, 'bool', 'bool · 2', 'bool, 0 null, 2 distinct'],
])('%j of kind %s', (fields, kind, line, sentence) => {
  const summary = { ...base, dtype: '', ...fields };
  expect([summaryLine(summary, kind), summarySentence(summary)]).toEqual([line, sentence]);
});
