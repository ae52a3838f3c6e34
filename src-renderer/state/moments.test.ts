import { expect, test } from 'vitest';
import type { TimelineChange } from '../../src-shared/wire/routes/history.ts';
import { momentsOf } from './moments.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');

/** `second cell`, with `x` after the cell for its deletion and `@name` for an author. */
function change(text: string): TimelineChange {
  const [, second = '', cell_id = '', x = '', author] = /^(\d+)([a-w])(x?)(?:@(\w+))?$/.exec(text) ?? [];
  const at = new Date(START + Number(second) * 1_000).toISOString();
  return {
    at,
    cell_id,
    title: '',
    why: x === 'x' ? 'deleted' : 'edit',
    author: author ?? null,
    present: true,
  };
}

test.each<[string, string, string]>([
  ['nothing', '', ''],
  ['changes within a minute are one entry', '59a 30b 0c', '59: a b c'],
  ['a change after a minute begins another entry', '60a 30b 0c', '60: a b / 0: c'],
  ['a minute counts from the newest of an entry', '100a 50b 30c', '100: a b / 30: c'],
  ['a cell is listed once', '50a 40b 30a', '50: a b'],
  ['deletions and authors', '50ax@ada 40b@bo 30b@ada', '50: a b, 1 deleted, by ada bo'],
])('[HI-26] the timeline: %s', (_name, changes, expected) => {
  const moments = momentsOf(changes.split(' ').filter(Boolean).map(change));
  const lines = moments.map(({ at, cells, deleted, authors }) => {
    const second = (Date.parse(at) - START) / 1_000;
    const more = [
      ...(deleted > 0 ? [`${deleted} deleted`] : []),
      ...(authors.length > 0 ? [`by ${authors.join(' ')}`] : []),
    ];
    return [`${second}: ${cells.map((one) => one.cell_id).join(' ')}`, ...more].join(', ');
  });
  expect(lines.join(' / ')).toBe(expected);
});
