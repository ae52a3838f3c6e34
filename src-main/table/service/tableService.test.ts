import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '../query/filterRows.ts';
import { TableCache } from './tableCache.ts';
import { createTableService, TableError, type TableService } from './tableService.ts';

const fixture = (name: string) => ({
  path: fileURLToPath(new URL(`../fixtures/${name}.arrow`, import.meta.url)),
  sha256: name,
});
const labels = { ...fixture('pandas_labels'), offset: 0, limit: 10 };
const expected = [
  ['c', 1],
  ['a', 2],
  ['b', 3],
];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'table-service-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('the table thread', () => {
  test('[VA-9] answers when run from source, and reports files that it cannot read', async () => {
    const service = createTableService();
    const [page, tensor, lost] = await Promise.allSettled([
      service.page(labels),
      service.summary(fixture('tensor')),
      service.page({ ...labels, path: join(dir, 'nowhere'), sha256: 'nowhere' }),
    ]);
    expect(page).toMatchObject({ value: { rows: expected, columns: ['index', 'x'] } });
    expect(tensor).toMatchObject({ value: { pageable: false, reason: 'a tensor' } });
    expect(lost).toMatchObject({
      reason: { name: 'TableError', message: expect.stringContaining('ENOENT') },
    });
    await service.close();
    await expect(service.page(labels)).rejects.toThrow(TableError);
  });

  test("works from a bundle with the thread's file in the same folder", async () => {
    const source = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
    await build({
      entryPoints: [source('tableService'), source('tableWorker')],
      outdir: dir,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    await writeFile(join(dir, 'package.json'), '{"type":"module"}');
    const bundled: { createTableService(): TableService } = await import(
      pathToFileURL(join(dir, 'tableService.js')).href
    );
    const service = bundled.createTableService();
    expect(await service.page(labels)).toMatchObject({ rows: expected });
    await service.close();
  });

  test.each([
    ['needs too much memory', 'for (let all = null; ; ) all = { all };', /memory/],
    ['never answers', 'for (;;);', /no answer for 0.5 s/],
  ])('[SG-42] a thread that %s is ended, and the next request starts another', async (_, body, why) => {
    const hostile = join(dir, `hostile${why.source.length}.mjs`);
    await writeFile(
      hostile,
      `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => { ${body} });`,
    );
    let starts = 0;
    const good = new URL('./tableWorker.ts', import.meta.url);
    const service = createTableService({
      workerUrl: () => (starts++ === 0 ? pathToFileURL(hostile) : good),
      heapMb: 64,
      // Only the thread that never answers may be ended for that reason.
      ...(why.source.startsWith('no answer') ? { answerMs: 500 } : {}),
    });
    await expect(service.summary(labels)).rejects.toThrow(why);
    expect(starts).toBe(1);
    await service.close();
    const next = createTableService();
    expect(await next.page(labels)).toMatchObject({ rows: expected });
    await next.close();
  });

  test('[VA-9] when a thread ends, its requests fail, and the next request starts another', async () => {
    const dying = join(dir, 'dying.mjs');
    await writeFile(
      dying,
      "import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => process.exit(3));",
    );
    let starts = 0;
    const good = new URL('./tableWorker.ts', import.meta.url);
    const service = createTableService({ workerUrl: () => (starts++ === 0 ? pathToFileURL(dying) : good) });
    await expect(Promise.all([service.page(labels), service.page(labels)])).rejects.toThrow(
      /ended: exit code 3/,
    );
    expect(await service.page(labels)).toMatchObject({ rows: expected });
    expect(starts).toBe(2);
    await service.close();
  });
});

describe('the cache of tables', () => {
  test('reads a digest once, and again after other tables replaced it', async () => {
    const path = join(dir, 'copy.arrow');
    const copy = await readFile(fixture('types').path);
    await writeFile(path, copy);
    const ask = (cache: TableCache, sha256: string) =>
      cache.page({ path, sha256, offset: 0, limit: 1, sortBy: 'text', search: 'o' }).pageable;
    const roomy = new TableCache(1 << 20);
    const tight = new TableCache(copy.byteLength + 100);
    expect([ask(roomy, 'a'), ask(tight, 'a'), ask(tight, 'b')]).toEqual([true, true, true]);
    await rm(path);
    expect(ask(roomy, 'a')).toBe(true);
    expect(ask(tight, 'b')).toBe(true);
    expect(() => ask(tight, 'a')).toThrow(/ENOENT/);
  });

  const oddFilters: readonly [string, readonly Filter[], number][] = [
    ['no object', [null as unknown as Filter, 7 as unknown as Filter], 5],
    ['no column', [{ op: 'eq', value: 1 }], 5],
    ['between without an end', [{ col: 'i32', op: 'between', value: 0 }], 5],
    ['a word for a number', [{ col: 'i32', op: 'eq', value: 'seven' }], 5],
    ['an object as value', [{ col: 'i32', op: 'eq', value: {} }], 5],
    ['null as value', [{ col: 'i32', op: 'eq', value: null }], 5],
    ['numbers as text', [{ col: 'i32', op: 'eq', value: ' 7 ' }], 1],
    ['a fraction between integers', [{ col: 'i32', op: 'gt', value: 6.5 }], 2],
    ['a fraction equal to no integer', [{ col: 'i32', op: 'eq', value: 6.5 }], 0],
    ['beyond the type', [{ col: 'i8', op: 'lt', value: '1e30' }], 4],
    ['an exact 64-bit value', [{ col: 'i64', op: 'eq', value: '9223372036854775807' }], 1],
    ['an unsigned 64-bit value', [{ col: 'u64', op: 'ge', value: '9223372036854775808' }], 2],
    ['single precision', [{ col: 'f32', op: 'eq', value: 0.1 }], 1],
    ['infinity by name', [{ col: 'f32', op: 'eq', value: '-Infinity' }], 1],
    ['a half', [{ col: 'f16', op: 'ge', value: 1.5 }], 2],
    ['a boolean as text', [{ col: 'bool', op: 'eq', value: 'False' }], 2],
    ['a decimal', [{ col: 'dec32', op: 'ge', value: '1.495' }], 2],
    ['a wide decimal', [{ col: 'dec128', op: 'gt', value: '123456789012345678901.4' }], 1],
    ['a date', [{ col: 'date32', op: 'le', value: '1969-12-31' }], 2],
    ['a date that does not exist', [{ col: 'date32', op: 'le', value: '2023-02-30' }], 5],
    ['a time', [{ col: 'time64', op: 'gt', value: '12:00' }], 1],
    ['a time as it is shown', [{ col: 'stamp_us', op: 'eq', value: '2024-03-31T03:00:00+02:00' }], 1],
    ['the same in UTC', [{ col: 'stamp_us', op: 'eq', value: '2024-03-31T01:00:00Z' }], 1],
    ['local time of the zone', [{ col: 'stamp_us', op: 'eq', value: '2024-03-31 03:00:00' }], 1],
    ['nanoseconds', [{ col: 'stamp_ns', op: 'eq', value: '2023-11-15T03:43:20.123456789+05:30' }], 1],
    ['a duration as it is shown', [{ col: 'duration', op: 'ge', value: '1 day, 2:00:00.005000' }], 1],
    ['a duration in seconds', [{ col: 'duration', op: 'lt', value: 0 }], 2],
    ['bytes compared', [{ col: 'bytes', op: 'eq', value: 'x' }], 5],
    ['nested compared', [{ col: 'list', op: 'eq', value: '[1,2]' }], 5],
    ['nested searched', [{ col: 'struct', op: 'contains', value: '"B":"Y"' }], 1],
    ['an empty text contained', [{ col: 'text', op: 'contains', value: '' }], 4],
    [
      'two filters together',
      [
        { col: 'i8', op: 'eq', value: 1 },
        { col: 'u8', op: 'not_null' },
      ],
      2,
    ],
    ['null column', [{ col: 'null', op: 'is_null' }], 5],
  ];
  test.each(oddFilters)('[VA-8] filter: %s', (_name, filters, total) => {
    const cache = new TableCache(1 << 20);
    for (const name of ['types', 'types_batches']) {
      expect(cache.page({ ...fixture(name), offset: 0, limit: 0, filters })).toMatchObject({ total });
    }
  });

  test('an index has two names, and an unknown sort column is reported as none', () => {
    const cache = new TableCache(1 << 20);
    const sorted = (sortBy: string) => cache.page({ ...labels, sortBy });
    expect(sorted('index')).toMatchObject({
      rows: [expected[1], expected[2], expected[0]],
      sort_by: 'index',
    });
    expect(sorted('__index_level_0__')).toMatchObject({ rows: [expected[1], expected[2], expected[0]] });
    expect(sorted('nowhere')).toMatchObject({ rows: expected, sort_by: null });
  });

  test('[VA-33] exports one piece at a time, between other requests, and forgets an abandoned export', async () => {
    const service = createTableService({ idleMs: 1 });
    const exported = await service.export({ ...labels, format: 'csv' });
    if (exported.kind === 'other') throw new Error(exported.reason);
    const reader = exported.pieces[Symbol.asyncIterator]();
    expect(await service.page(labels)).toMatchObject({ rows: expected });
    const first = await reader.next();
    expect(Buffer.from(first.value ?? []).toString()).toBe('index,x\r\nc,1\r\na,2\r\nb,3\r\n');
    expect((await reader.next()).done).toBe(true);
    expect((await reader.next()).done).toBe(true);

    const left = await service.export({ ...labels, format: 'parquet' });
    if (left.kind === 'other') throw new Error(left.reason);
    const leaving = left.pieces[Symbol.asyncIterator]();
    await leaving.return?.();
    expect((await leaving.next()).done).toBe(true);
    expect(await service.export({ ...fixture('tensor'), format: 'csv' })).toEqual({
      kind: 'other',
      reason: 'a tensor',
    });
    await service.close();
  });

  test('[VA-33] when the thread ends, an export fails instead of ending early', async () => {
    const service = createTableService();
    const exported = await service.export({ ...labels, format: 'csv' });
    if (exported.kind === 'other') throw new Error(exported.reason);
    await service.close();
    await expect(exported.pieces[Symbol.asyncIterator]().next()).rejects.toThrow(TableError);
  });
});
