import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { CellEntry } from '../file/notebookFile.ts';
import { restoredPosition } from './restoreDeletedCell.ts';

const entry = (id: string, order: number): CellEntry => ({
  id: cellId(id),
  file: `cells/${id}.py`,
  language: 'python',
  order,
  worker: null,
  timeout: null,
  env: {},
  mounts: [],
  createdBy: null,
  updatedBy: null,
});

interface Case {
  readonly what: string;
  /** `id:order`, in order. */
  readonly now: string;
  readonly above: string;
  readonly below: string;
  readonly order: number;
  readonly place: { readonly order: number; readonly after: string | null };
}

const CASES: readonly Case[] = [
  {
    what: 'its old order between its neighbours',
    now: 'a:0 c:2',
    above: 'a',
    below: 'c',
    order: 1,
    place: { order: 1, after: 'a' },
  },
  {
    what: 'undone in another order than deleted: both return to their places',
    now: 'a:0 b:1',
    above: 'a',
    below: '',
    order: 2,
    place: { order: 2, after: 'b' },
  },
  {
    what: 'the first cell',
    now: 'b:1 c:2',
    above: '',
    below: 'b c',
    order: 0,
    place: { order: 0, after: null },
  },
  {
    what: 'renumbered meanwhile: below the cell it was below',
    now: 'x:0 a:1 c:2',
    above: 'a',
    below: 'c',
    order: 1,
    place: { order: 1.5, after: 'a' },
  },
  {
    what: 'the cell above was deleted too: below the next one above',
    now: 'z:0 a:5 c:6',
    above: 'gone a',
    below: 'c',
    order: 3,
    place: { order: 5.5, after: 'a' },
  },
  {
    what: 'only a cell below remains, and others were inserted above it: directly above it',
    now: 'x:0 y:1 c:2',
    above: 'gone',
    below: 'c',
    order: 7,
    place: { order: 1.5, after: 'y' },
  },
  {
    what: 'first again although everything was renumbered',
    now: 'b:0 c:1',
    above: '',
    below: 'b',
    order: 0,
    place: { order: -1, after: null },
  },
  { what: 'alone', now: '', above: 'gone', below: '', order: 4, place: { order: 4, after: null } },
];

const idsOf = (text: string) => text.split(' ').filter(Boolean).map(cellId);

describe('[NF-30] the position of a restored cell', () => {
  for (const { what, now, above, below, order, place } of CASES) {
    it(what, () => {
      const cells = now
        .split(' ')
        .filter(Boolean)
        .map((text) => entry(text.split(':')[0] ?? '', Number(text.split(':')[1])));
      const position = restoredPosition(cells, {
        id: cellId('me'),
        block: { order },
        source: null,
        tests: null,
        above: idsOf(above),
        below: idsOf(below),
        variant: null,
      });
      expect(position).toEqual({ order: place.order, afterId: place.after });
    });
  }
});
