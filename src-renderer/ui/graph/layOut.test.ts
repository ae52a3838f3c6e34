import { expect, test } from 'vitest';
import { layOut, type NamedGraph, NODE_HEIGHT, neighbour } from './layOut.ts';

function graph(names: string, ...edges: readonly string[]): NamedGraph {
  return {
    nodes: [...names].map((id) => ({ id, name: id })),
    edges: edges.map((edge) => ({ from: edge[0] ?? '', to: edge[1] ?? '' })),
  };
}

/** A large graph: each cell reads two earlier ones, every tenth has no edges. */
function many(count: number): NamedGraph {
  const nodes = Array.from({ length: count }, (_none, at) => ({ id: `c${at}`, name: `cell ${at}` }));
  const edges = nodes.flatMap(({ id }, at) =>
    at === 0 || at % 10 === 0
      ? []
      : [...new Set([Math.floor(at / 2), Math.floor(at / 3)])]
          .filter((from) => from % 10 !== 0 && from !== at)
          .map((from) => ({ from: `c${from}`, to: id })),
  );
  return { nodes, edges };
}

test.each<[string, NamedGraph]>([
  ['nothing', graph('')],
  ['no edges', graph('abcdefghijklmnopqrstuvwxyz')],
  ['a chain', graph('abcd', 'ab', 'bc', 'cd')],
  ['a diamond and a separate cell', graph('abcdx', 'ab', 'ac', 'bd', 'cd')],
  ['many', many(400)],
])('no cells overlap, and inputs are to the left: %s', (_name, drawn) => {
  const layout = layOut(drawn);
  expect(layout.map((node) => node.id).sort()).toEqual(drawn.nodes.map((node) => node.id).sort());
  const over = layout.flatMap((a) =>
    layout
      .filter((b) => a.id < b.id)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && Math.abs(a.y - b.y) < NODE_HEIGHT)
      .map((b) => `${a.id} and ${b.id}`),
  );
  expect(over).toEqual([]);
  for (const { from, to } of drawn.edges) {
    const x = (id: string): number => layout.find((node) => node.id === id)?.x ?? Number.NaN;
    expect(x(from)).toBeLessThan(x(to));
  }
});

test.each<[string | null, string, string | null]>([
  [null, 'ArrowRight', 'a'],
  ['a', 'ArrowLeft', null],
  ['a', 'End', 'x'],
  ['d', 'Home', 'a'],
  ['b', 'ArrowLeft', 'a'],
  ['b', 'ArrowRight', 'd'],
  ['a', 'q', null],
])('from %s, %s leads to %s', (from, key, expected) => {
  const sample = graph('abcdx', 'ab', 'ac', 'bd', 'cd');
  expect(neighbour(sample, layOut(sample), { from, key })).toBe(expected);
});

test('up and down move through a column and back', () => {
  const sample = graph('abc', 'ab', 'ac');
  const layout = layOut(sample);
  const [upper, lower] = ['b', 'c'].sort(
    (a, b) => (layout.find((n) => n.id === a)?.y ?? 0) - (layout.find((n) => n.id === b)?.y ?? 0),
  );
  expect(neighbour(sample, layout, { from: upper ?? null, key: 'ArrowDown' })).toBe(lower);
  expect(neighbour(sample, layout, { from: lower ?? null, key: 'ArrowUp' })).not.toBe(lower);
});
