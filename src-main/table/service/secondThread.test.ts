import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, describe, expect, test } from 'vitest';
import { rowsOfRun } from '../../../e2e/support/longRun.ts';
import { csvRows } from '../export/csvRows.ts';
import { EXPORTERS } from '../export/tableExport.ts';
import { SecondThread } from './secondThread.ts';
import { TableCache } from './tableCache.ts';
import type { ViewQuery } from './tableQuery.ts';

const ROWS = 150_000;
const dir = mkdtempSync(join(tmpdir(), 'second-thread-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Later rows are far longer than the first ones, which determine the parts. */
const text = (row: number) => (row < 100_000 ? `t${row % 7}` : `long ${row} `.repeat(1 + (row % 40)));
const path = join(dir, 'long.arrow');
writeFileSync(
  path,
  tableToIPC(
    new Table({
      a: vectorFromArray(
        Array.from({ length: ROWS }, (_, row) => Math.sin(row)),
        new Float64(),
      ),
      b: vectorFromArray(
        Array.from({ length: ROWS }, (_, row) => (row % 11 === 0 ? null : row / 3)),
        new Float64(),
      ),
      c: vectorFromArray(
        Array.from({ length: ROWS }, (_, row) => row % 1000),
        new Float64(),
      ),
      name: vectorFromArray(
        Array.from({ length: ROWS }, (_, row) => text(row)),
        new Utf8(),
      ),
    }),
    'stream',
  ),
);

function program(name: string, source: string): URL {
  writeFileSync(join(dir, name), source);
  return pathToFileURL(join(dir, name));
}

/**
 * Variants of the second thread: the real one, one that ends immediately, one that fails, and one that ends
 * midway.
 */
const THREADS: Readonly<Record<string, URL>> = {
  'that works': new URL('./tableWorker.ts', import.meta.url),
  'that does not exist': new URL('./nowhere.ts', import.meta.url),
  'that ends immediately': program('ends.mjs', 'process.exit(3);'),
  'that answers with failures': program(
    'fails.mjs',
    `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id }) => id && parentPort.postMessage({ id, kind: 'failed', message: 'no' }));`,
  ),
  'that ends at a request': program(
    'dies.mjs',
    `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id }) => id && process.exit(4));`,
  ),
  'that takes columns and ends': program(
    'takes.mjs',
    `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, next }) => {
  if (next !== undefined) Atomics.add(new Int32Array(next), 0, 2);
  if (id !== undefined) process.exit(5);
});`,
  ),
};
const VIEWS: Readonly<Record<string, Partial<ViewQuery>>> = {
  'as stored': {},
  'sorted and filtered': { sortBy: 'a', sortDir: 'desc', filters: [{ col: 'c', op: 'lt', value: 900 }] },
};
const file = { path, sha256: 'long' };

/** Results of one thread, which take longest to compute, by the name of their view. */
const wholeTexts = new Map<string, Uint8Array>();
type View = Extract<ReturnType<TableCache['view']>, { readonly kind: 'view' }>;
function wholeText(name: string, { table, order }: View): Uint8Array {
  const bytes = wholeTexts.get(name) ?? csvRows(table, order).first(Number.POSITIVE_INFINITY).bytes;
  wholeTexts.set(name, bytes);
  return bytes;
}
let summaryOfOne: ReturnType<TableCache['summary']> | null = null;

describe.each(Object.entries(THREADS))('[VA-34] with a second thread %s', (thread, url) => {
  // A normal run has the second view for the thread that works.
  const views = rowsOfRun(Object.entries(VIEWS), ([name]) => name === 'as stored' || thread === 'that works');
  test.each(views)('a long CSV %s equals that of one thread', async (name, query) => {
    const second = new SecondThread(url);
    const view = new TableCache(1 << 28).view({ ...file, ...query });
    if (view.kind === 'other') throw new Error(view.reason);
    const { table, order } = view;
    const exported = EXPORTERS.csv(table, order, second);
    const pieces: Uint8Array[] = [];
    for (let piece = await exported.next(); piece !== null; piece = await exported.next()) pieces.push(piece);
    exported.end();
    expect(pieces.length).toBeGreaterThan(4);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1.2e6);
    expect(Buffer.concat(pieces).equals(wholeText(name, view))).toBe(true);
    await second.close();
  });

  test('a long CSV whose memory is reused is the same', async () => {
    const second = new SecondThread(url);
    const view = new TableCache(1 << 28).view(file);
    if (view.kind === 'other') throw new Error(view.reason);
    const exported = EXPORTERS.csv(view.table, null, second);
    const copies: Buffer[] = [];
    for (let piece = await exported.next(); piece !== null; piece = await exported.next()) {
      copies.push(Buffer.from(piece));
      // The reader is done with the piece: any later read of it would be wrong.
      piece.fill(0);
      if (piece.buffer instanceof SharedArrayBuffer) exported.reuse(piece.buffer);
    }
    exported.end();
    expect(Buffer.concat(copies).equals(wholeText('as stored', view))).toBe(true);
    await second.close();
  });

  test('a summary of a large table equals that of one thread', async () => {
    const second = new SecondThread(url);
    const two = await new TableCache(1 << 28, second).summary(file);
    summaryOfOne ??= new TableCache(1 << 28).summary(file);
    expect(two).toEqual(await summaryOfOne);
    await second.close();
  });
});
