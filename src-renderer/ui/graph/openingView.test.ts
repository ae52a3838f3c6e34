import { expect, test } from 'vitest';
import type { PlacedNode } from './layOut.ts';
import { openingView } from './openingView.ts';

const ROOM = { width: 800, height: 240 };

/** A chain of so many cells, 120 px apart. */
const chain = (count: number): readonly PlacedNode[] =>
  Array.from({ length: count }, (_, at) => ({ id: `c${at}`, name: `c${at}`, x: at * 120, y: 0, width: 80 }));

test.each([
  { what: 'a graph that fits is centred', count: 4, focusedId: null, view: { x: 180, y: 106, zoom: 1 } },
  {
    what: 'a graph that fits at a smaller scale is drawn smaller, wherever the focus is',
    count: 8,
    focusedId: 'c7',
    view: { x: 24, y: 109, zoom: 752 / 920 },
  },
  {
    what: 'a long chain opens at its beginning',
    count: 300,
    focusedId: null,
    view: { x: 24, y: 106, zoom: 1 },
  },
  {
    what: 'a long chain with a focused cell opens there',
    count: 300,
    focusedId: 'c100',
    view: { x: 400 - 12_040, y: 106, zoom: 1 },
  },
  {
    what: 'with no empty place past its end',
    count: 300,
    focusedId: 'c299',
    view: { x: 800 - 24 - 35_960, y: 106, zoom: 1 },
  },
  { what: 'an empty graph', count: 0, focusedId: 'gone', view: { x: 400, y: 120, zoom: 1 } },
])('[WI-64] where the graph opens: $what', ({ count, focusedId, view }) => {
  expect(openingView(chain(count), ROOM, { focusedId })).toEqual(view);
});
