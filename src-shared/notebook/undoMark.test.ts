import { expect, it } from 'vitest';
import { entriesSince, MAX_MARKED, undoMarkOf } from './undoMark.ts';

const entry = (id: string, text = '1') => ({ id, changes: [{ kind: 'source', before: '', after: text }] });
const [one, two, three] = [entry('1'), entry('2'), entry('3')];

interface Row {
  readonly title: string;
  readonly marked: readonly ReturnType<typeof entry>[];
  /** The number of entries that the limits had removed at that time. */
  readonly lost?: number;
  readonly now: readonly ReturnType<typeof entry>[];
  readonly forgotten?: number;
  readonly since: readonly string[] | null;
}

const ROWS: readonly Row[] = [
  { title: 'nothing since', marked: [one, two], now: [one, two], since: [] },
  { title: 'one since', marked: [one, two], now: [one, two, three], since: ['3'] },
  { title: 'all since the beginning', marked: [], now: [one, two], since: ['1', '2'] },
  {
    title: 'older entries were forgotten',
    marked: [one, two],
    now: [two, three],
    forgotten: 1,
    since: ['3'],
  },
  { title: 'older entries were read since', marked: [two], now: [one, two, three], since: ['3'] },
  { title: 'the last one was undone', marked: [one, two], now: [one, three], since: null },
  { title: 'an earlier one was undone', marked: [one, two], now: [two, three], since: null },
  { title: 'one in between was undone', marked: [one, two, three], now: [one, three], since: null },
  { title: 'the last one was continued', marked: [one, two], now: [one, entry('2', '12')], since: null },
  { title: 'an earlier one was continued', marked: [one, two], now: [entry('1', '12'), two], since: null },
  { title: 'the last one was forgotten', marked: [one], now: [three], forgotten: 2, since: null },
  { title: 'entries after an empty stack were forgotten', marked: [], now: [two], forgotten: 1, since: null },
  { title: 'the stack had lost entries before', marked: [], lost: 4, now: [one], forgotten: 4, since: ['1'] },
];

it.each(ROWS)('[AG-106] $title', ({ marked: done, lost = 0, now, forgotten = 0, since }) => {
  const mark = undoMarkOf(done, lost);
  expect(entriesSince(mark, now, forgotten)?.map(({ id }) => id) ?? null).toEqual(since);
});

it('[AG-106] a mark has as many entries as the record keeps', () => {
  const many = Array.from({ length: MAX_MARKED + 5 }, (_, at) => entry(String(at)));
  const mark = undoMarkOf(many, 0);
  expect(mark.done).toHaveLength(MAX_MARKED);
  expect(entriesSince(mark, [...many, three], 0)).toEqual([three]);
});
