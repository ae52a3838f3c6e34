import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float64, Int64, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { TableCache } from '../service/tableCache.ts';

const dir = mkdtempSync(join(tmpdir(), 'summary-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let built = 0;

async function summaryOf(type: Float64 | Int64, batches: readonly (readonly unknown[])[]) {
  const [first, ...rest] = batches.map((values) => new Table({ x: vectorFromArray(values, type) }));
  if (first === undefined) throw new Error('a batch');
  const path = join(dir, `${built++}.arrow`);
  writeFileSync(path, tableToIPC(first.concat(...rest), 'stream'));
  const summary = await new TableCache(1 << 24).summary({ path, sha256: path });
  rmSync(path);
  if (!summary.pageable) throw new Error(summary.reason);
  const [column] = summary.columns;
  return [column?.nulls, column?.distinct, column?.min, column?.max];
}

const display = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));
const least = <T extends number | bigint>(values: readonly T[]) => values.reduce((a, b) => (b < a ? b : a));
const most = <T extends number | bigint>(values: readonly T[]) => values.reduce((a, b) => (b > a ? b : a));
const runs = { numRuns: process.env['LONG'] === '1' ? 5000 : 200 };

describe('[VA-7] the summary of a column with a value in every row', () => {
  const long = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -300n, max: 300n }),
    fc.bigInt({ min: 2n ** 32n - 50n, max: 2n ** 32n + 50n }),
  );
  const cuts = fc.integer({ min: 1, max: 3 });
  const inBatches = <T>(values: readonly T[], count: number) =>
    Array.from({ length: count }, (_, at) =>
      values.slice(Math.floor((values.length * at) / count), Math.floor((values.length * (at + 1)) / count)),
    ).filter((batch) => batch.length > 0);

  it('64-bit integers', async () => {
    const lists = fc.oneof(
      fc.array(long, { minLength: 1 }),
      fc.array(fc.bigInt({ min: 2n ** 32n - 50n, max: 2n ** 32n + 50n }), { minLength: 1 }),
      fc.array(fc.bigInt({ min: -9n, max: 9n }), { minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(lists, cuts, async (values, count) => {
        const summary = await summaryOf(new Int64(), inBatches(values, count));
        expect(summary).toEqual([0, new Set(values).size, display(least(values)), display(most(values))]);
      }),
      runs,
    );
  });

  it('doubles, with both zeros equal', async () => {
    const double = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, -0, 1, -1, 0.5),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(double, { minLength: 1 }), cuts, async (values, count) => {
        const [nulls, distinct, min, max] = await summaryOf(new Float64(), inBatches(values, count));
        expect([nulls, distinct]).toEqual([0, new Set(values).size]);
        expect(min === least(values) && max === most(values)).toBe(true);
      }),
      runs,
    );
  });

  it('NaN is one value, and neither the minimum nor the maximum', async () => {
    expect(await summaryOf(new Float64(), [[2, Number.NaN, 1, Number.NaN]])).toEqual([0, 3, 1, 2]);
  });
});
