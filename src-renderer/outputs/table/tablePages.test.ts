import { expect, test } from 'vitest';
import type { TablePage } from './tablePage.ts';
import { TablePages } from './tablePages.ts';

interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

function pagesOf(columns: number) {
  const pageRequests: Asked[] = [];
  const reports: unknown[] = [];
  const pages = new TablePages(
    columns,
    (offset, limit, signal) =>
      new Promise<TablePage>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
        const rows = Array.from({ length: limit }, (_none, at) => [offset + at]);
        const answer = (): void => resolve({ columns: ['a'], rows, offset, total: 1e6 });
        pageRequests.push({ offset, limit, signal, answer, fail: reject });
      }),
    (problem) => reports.push(problem),
  );
  return { pages, asked: pageRequests, told: reports };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('fetches fewer rows of a wide table, never more than 500', () => {
  expect(pagesOf(1).pages.pageRows).toBe(500);
  expect(pagesOf(100).pages.pageRows).toBe(200);
  expect(pagesOf(5_000).pages.pageRows).toBe(20);
});

test('fetches the visible page first, then its neighbours; two requests at a time', async () => {
  const { pages, asked, told } = pagesOf(1);
  pages.see(1_200, 1_240, 1_000_000);
  expect(asked.map((one) => one.offset)).toEqual([1_000, 1_500]);
  expect(pages.row(1_200)).toBe(null);
  asked[0]?.answer();
  await settled();
  expect(pages.row(1_200)).toEqual([1_200]);
  expect(asked.map((one) => one.offset)).toEqual([1_000, 1_500, 500]);
  expect(told).toEqual([null]);
});

test('cancels requests for pages that were scrolled past, without reporting it', async () => {
  const { pages, asked, told } = pagesOf(1);
  pages.see(0, 40, 1_000_000);
  pages.see(900_000, 900_040, 1_000_000);
  await settled();
  expect(asked.map((one) => [one.offset, one.signal.aborted])).toEqual([
    [0, true],
    [500, true],
    [900_000, false],
    [900_500, false],
  ]);
  expect(told).toEqual([]);
});

test('reports a refusal once, and requests the page again when it is visible again', async () => {
  const { pages, asked, told } = pagesOf(1);
  pages.see(0, 40, 100);
  asked[0]?.fail(new Error('no'));
  await settled();
  expect(told).toHaveLength(1);
  expect(asked).toHaveLength(1);
  pages.see(0, 40, 100);
  expect(asked).toHaveLength(2);
});

test('copied rows come from the cache and from the server', async () => {
  const { pages, asked } = pagesOf(1);
  pages.see(0, 40, 100_000);
  asked[0]?.answer();
  await settled();
  const rows = pages.rows(498, 1_003, new AbortController().signal);
  await settled();
  const request = asked.find((one) => one.limit === 500 && one.offset === 500 && asked.indexOf(one) > 1);
  request?.answer();
  await settled();
  asked.at(-1)?.answer();
  expect((await rows).map((row) => row[0])).toEqual(Array.from({ length: 505 }, (_none, at) => 498 + at));
});
