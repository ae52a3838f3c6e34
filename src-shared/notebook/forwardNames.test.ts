import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CodeReads } from './forwardNames.ts';
import { buildGraph, type GraphCell } from './graph.ts';
import { cellId } from './ids.ts';

/**
 * `id: reads > defines`. `f(g h)`: a function that reads g and h when it is called; `v[f]`: a value made from f; a bare
 * name needs nothing.
 */
function cellOf(line: string): GraphCell {
  const match = /^(\w+):([^>]*)(?:>(.*))?$/.exec(line);
  if (match === null) throw new Error(`bad row ${line}`);
  const code = new Map<string, CodeReads>();
  const defines: string[] = [];
  const references = new Set(words(match[2]));
  for (const [, name = '', late, early] of (match[3] ?? '').matchAll(/(\w+)(?:\(([^)]*)\)|\[([^\]]*)\])?/g)) {
    defines.push(name);
    if (late !== undefined) code.set(name, { isCode: true, late: words(late), early: [], own: [] });
    if (early !== undefined) code.set(name, { isCode: false, late: [], early: words(early), own: [] });
  }
  for (const { late, early } of code.values()) {
    for (const name of [...late, ...early]) if (!defines.includes(name)) references.add(name);
  }
  return {
    id: cellId(match[1] ?? ''),
    defines,
    references: [...references].sort(),
    builtinReferences: [],
    after: [],
    variant: null,
    perVariant: null,
    code,
  };
}

function words(text = ''): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

function show(lines: readonly string[]) {
  const result = buildGraph(lines.map(cellOf));
  if (result.kind !== 'graph') throw new Error(result.message);
  const { edges, below } = result.graph;
  return {
    edges: edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`),
    below: [...below].flatMap(([id, names]) => [...names].map(([name, at]) => `${id} ${name} in ${at}`)),
  };
}

type Lines = readonly string[];
type Row = readonly [name: string, cells: Lines, edges: Lines, below?: Lines];

const TABLE: readonly Row[] = [
  ['the caller below both', ['a: > f(g)', 'b: > g()', 'c: f'], ['a-c f', 'b-c g'], ['a g in b']],
  ['a caller above the definer', ['a: > f(g)', 'b: f', 'c: > g()'], ['a-b f'], ['a g in c', 'b g in c']],
  ['a name that no cell defines', ['a: > f(g)', 'b: f'], ['a-b f']],
  [
    'an earlier definer is injected as before',
    ['z: > g()', 'a: > f(g)', 'b: > g()', 'c: f'],
    ['z-a g', 'a-c f'],
  ],
  [
    'the nearest definer above each caller',
    ['a: > f(g)', 'b: > g()', 'c: f', 'd: > g()', 'e: f', 'h: > g()'],
    ['a-c f', 'b-c g', 'a-e f', 'd-e g'],
    ['a g in b'],
  ],
  [
    'from one to the next',
    ['a: > f(g)', 'b: > g(h)', 'c: > h()', 'd: f'],
    ['a-d f', 'b-d g', 'c-d h'],
    ['a g in b', 'b h in c'],
  ],
  [
    'mutual recursion',
    ['a: > even(odd)', 'b: > odd(even)', 'c: even odd'],
    ['a-b even', 'a-c even', 'b-c odd'],
    ['a odd in b'],
  ],
  [
    'a function that calls it leaves the name to its own callers',
    ['a: > f(g)', 'b: > g()', 'c: > h(f)', 'd: h'],
    ['a-c f', 'b-c g', 'c-d h', 'b-d g'],
    ['a g in b'],
  ],
  [
    'a value is stored with what it needs',
    ['a: > f(g)', 'b: > g()', 'c: > v[f]', 'd: v'],
    ['a-c f', 'b-c g', 'c-d v'],
    ['a g in b'],
  ],
  [
    'a value is stored with what those names need in turn',
    ['a: > f(g)', 'b: > g(h)', 'c: > h()', 'd: > v[f]', 'e: > w[v]', 'i: w'],
    ['a-d f', 'b-d g', 'c-d h', 'd-e v', 'e-i w'],
    ['a g in b', 'b h in c'],
  ],
  [
    'a value needs a name only until it is defined again',
    ['a: > f(g)', 'b: > g()', 'c: > v[f]', 'd: > g()', 'e: v'],
    ['a-c f', 'b-c g', 'c-e v', 'd-e g'],
    ['a g in b'],
  ],
  [
    'a value made above the definer leaves the name open',
    ['a: > f(g)', 'b: > v[f]', 'c: > g()', 'd: v'],
    ['a-b f', 'b-d v', 'c-d g'],
    ['a g in c', 'b g in c'],
  ],
  ['other values of the cell need nothing', ['a: > f(g) x', 'b: > g()', 'c: x'], ['a-c x'], ['a g in b']],
  [
    'the caller defines the name itself',
    ['a: > f(g)', 'b: f > g() v[f]', 'c: v'],
    ['a-b f', 'b-c v', 'b-c g'],
    ['a g in b'],
  ],
  ['a value of a later cell', ['a: > f(K)', 'b: > K', 'c: f'], ['a-c f', 'b-c K'], ['a K in b']],
];

const ROWS = TABLE.map(([name, cells, edges, below = []]) => ({ name, cells, edges, below }));

test.each(ROWS)('[SO-131] forward names: $name', ({ cells, edges, below }) => {
  const result = show(cells);
  expect([...result.edges].sort()).toEqual([...edges].sort());
  expect(result.below).toEqual(below);
});

test('[SO-131] a cell that calls no code is linked as if there were no forward names', () => {
  const cells = ['a: > f(g)', 'b: > g()', 'c: f'].map(cellOf);
  const result = buildGraph(cells.map((cell) => (cell.id === 'c' ? { ...cell, code: null } : cell)));
  expect(result.kind === 'graph' && result.graph.edges.map(({ variable }) => variable)).toEqual(['f']);
});

const NAMES = ['f', 'g', 'h', 'k', 'v'];

test('[SO-131] edges point down, to the nearest definer, and only callers get more of them', () => {
  const cell = fc.record({
    reads: fc.subarray(NAMES),
    gives: fc.uniqueArray(
      fc.record({ name: fc.constantFrom(...NAMES), isCode: fc.boolean(), of: fc.subarray(NAMES) }),
      {
        selector: ({ name }) => name,
        maxLength: 2,
      },
    ),
  });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 8 }), (rows) => {
      const lines = rows.map(({ reads, gives }, i) => {
        const provided = gives.map(
          ({ name, isCode, of }) => name + (isCode ? `(${of.join(' ')})` : `[${of.join(' ')}]`),
        );
        return `c${i}: ${reads.join(' ')} > ${provided.join(' ')}`;
      });
      const cells = lines.map(cellOf);
      const result = buildGraph(cells);
      if (result.kind !== 'graph') throw new Error(result.message);
      const plain = buildGraph(cells.map((one) => ({ ...one, code: null })));
      if (plain.kind !== 'graph') throw new Error(plain.message);
      const text = ({ from_cell_id, to_cell_id, variable }: (typeof result.graph.edges)[number]) =>
        `${from_cell_id} ${to_cell_id} ${variable}`;
      const all = new Set(result.graph.edges.map(text));
      for (const edge of plain.graph.edges) expect(all).toContain(text(edge));
      for (const { from_cell_id, to_cell_id, variable } of result.graph.edges) {
        const [from, to] = [from_cell_id, to_cell_id].map((id) => cells.findIndex((one) => one.id === id));
        const nearest = cells.slice(0, to).findLastIndex(({ defines }) => defines.includes(variable));
        expect([nearest, to !== undefined && from !== undefined && from < to]).toEqual([from, true]);
      }
    }),
    { numRuns: 500 },
  );
});
