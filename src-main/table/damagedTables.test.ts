/**
 * Reading damaged Arrow files: random changes to the fixture files are either refused, or read without
 * leaving the file's bytes.
 */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Field, makeData, Null, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueAt } from './columns/column.ts';
import { type Table, tableFrom } from './columns/readTable.ts';
import type { ExportPieces } from './export/exportPieces.ts';
import { EXPORTERS } from './export/tableExport.ts';
import { sortRows } from './query/sortRows.ts';
import { SecondThread } from './service/secondThread.ts';
import { distributionOf } from './summary/distribution.ts';
import { summarize } from './summary/summary.ts';

const NAMES = ['types', 'types_batches', 'dictionary', 'dictionary_delta', 'pandas_labels', 'pandas_range'];
const FIXTURES = new Map(
  await Promise.all(
    NAMES.map(
      async (name) =>
        [name, await readFile(fileURLToPath(new URL(`./fixtures/${name}.arrow`, import.meta.url)))] as const,
    ),
  ),
);
const unusedThread = new SecondThread(new URL('./service/tableWorker.ts', import.meta.url));

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(memory).set(bytes);
  return memory;
}

/** Mutations that an attacker could make: values that are too large, negative, or slightly wrong. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('bit' as const), value: fc.integer({ min: 0, max: 7 }) }),
  fc.record({
    kind: fc.constant('int32' as const),
    value: fc.constantFrom(0x7fffffff, -1, 2_000_000_000, 0, -0x80000000, 1 << 20),
  }),
  fc.record({
    kind: fc.constant('int64' as const),
    value: fc.constantFrom(2_000_000_000n, -1n, 2n ** 40n, 0n, 2n ** 62n),
  }),
  fc.record({ kind: fc.constant('cut' as const), value: fc.constant(0) }),
);
const mutated = fc
  .record({
    name: fc.constantFrom(...NAMES),
    at: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), mutation), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ name, at }) => {
    let bytes = new Uint8Array(FIXTURES.get(name) ?? []);
    for (const [place, { kind, value }] of at) {
      const to = Math.floor(place * (bytes.length - 8));
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      if (kind === 'byte') bytes[to] = value;
      else if (kind === 'bit') bytes[to] = (bytes[to] ?? 0) ^ (1 << value);
      else if (kind === 'int32') view.setInt32(to & ~3, value, true);
      else if (kind === 'int64') view.setBigInt64(to & ~7, value, true);
      else if (to > 64) bytes = bytes.slice(0, to);
    }
    return bytes;
  });

/** Every query of a table viewer. */
function read(table: Table): void {
  for (const column of table.columns) {
    for (let row = 0; row < Math.min(100, table.rows); row += 1) valueAt(column, row);
    summarize(column);
    distributionOf(column, null);
    sortRows(column, null, 'desc');
  }
  for (const make of Object.values(EXPORTERS)) drain(make(table, null, unusedThread));
}

function drain(pieces: ExportPieces): void {
  try {
    while (pieces.next() !== null);
  } catch (error) {
    // A date outside of Parquet's range ends the export with an error of its own.
    if (!(error instanceof Error)) throw error;
  } finally {
    pieces.end();
  }
}

test('[SG-41] a mutated Arrow file is refused, or read within its bytes', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(mutated, (bytes) => {
      const memory = shared(bytes);
      const table = tableFrom(memory);
      if (table.kind === 'other') {
        expect(table.reason).not.toBe('');
        return;
      }
      expect(table.table.rows).toBeLessThanOrEqual(10_000_000);
      read(table.table);
    }),
    { seed: 21, numRuns: process.env['LONG'] === '1' ? 20_000 : 250 },
  );
});

/** A stream of one column with this many nulls, which need no bytes. */
function nulls(count: number): Uint8Array {
  const schema = new Schema([new Field('x', new Null(), true)]);
  const column = makeData({ type: new Null(), length: count });
  const data = makeData({ type: new Struct(schema.fields), length: count, children: [column] });
  return RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true);
}

test('[SG-41] a column that declares more values than its file can hold is refused', () => {
  const bytes = nulls(2_000_000_000);
  expect(bytes.length).toBeLessThan(300);
  expect(tableFrom(shared(bytes))).toEqual({
    kind: 'other',
    reason: 'it declares 2000000000 values and contains none',
  });
  const few = tableFrom(shared(nulls(1000)));
  expect(few).toMatchObject({ kind: 'table', table: { rows: 1000 } });
});
