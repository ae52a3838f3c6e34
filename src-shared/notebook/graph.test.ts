import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, buildGraph, descendantsOf, type Graph, type GraphCell } from './graph.ts';
import { cellId } from './ids.ts';

/** `id: references > defines (after) [carry start]`; a name ending in `!` is read as a builtin, one in `?` perhaps. */
function cellOf(text: string): GraphCell {
  const [line = '', inLoop] = text.split(/ \[|\]/);
  const [carry, startFrom = null] = inLoop?.split(' ') ?? [];
  const match = /^(\w+):([^>(]*)(?:>([^(]*))?(?:\((.*)\))?$/.exec(line);
  if (match === null) throw new Error(`bad row ${line}`);
  const words = (text = '') => text.split(' ').filter((word) => word !== '');
  const reads = words(match[2]);
  const defines = words(match[3]);
  const perhaps = (names: readonly string[]) =>
    names.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1));
  return {
    id: cellId(match[1] ?? ''),
    defines: defines.map((name) => name.replace('?', '')),
    maybeDefines: perhaps(defines),
    references: reads.filter((name) => !/[!?]$/.test(name)),
    maybeReferences: perhaps(reads),
    builtinReferences: reads.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1)),
    after: words(match[4]),
    loop: carry === undefined ? null : { carry, startFrom },
    variant: null,
    perVariant: null,
  };
}

function show(graph: Graph) {
  const list = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].filter(([, names]) => names.length > 0).map(([id, names]) => `${id}: ${names.join(' ')}`);
  return {
    edges: graph.edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`.trim()),
    order: graph.topologicalOrder.join(' '),
    roots: graph.roots.join(' '),
    leaves: graph.leaves.join(' '),
    consumed: list(graph.consumed),
    shadow: list(graph.shadowWarnings),
  };
}

const ROWS: readonly (readonly [name: string, cells: readonly string[], shown: ReturnType<typeof show>])[] = [
  ['nothing', [], { edges: [], order: '', roots: '', leaves: '', consumed: [], shadow: [] }],
  [
    'the chain of examples 1',
    ['a: > x y', 'm:', 'b: x print! > z', 'c: z'],
    {
      edges: ['a-b x', 'b-c z'],
      order: 'a m b c',
      roots: 'a m',
      leaves: 'm c',
      consumed: ['a: x', 'b: z'],
      shadow: [],
    },
  ],
  [
    'shadowing and @after of examples 3',
    ['a1: > input x', 'a2: input! > x', 'a3: x input! (a1)'],
    {
      edges: ['a1-a2 input', 'a2-a3 x', 'a1-a3 input', 'a1-a3'],
      order: 'a1 a2 a3',
      roots: 'a1',
      leaves: 'a3',
      consumed: ['a1: input', 'a2: x'],
      shadow: ['a2: "x" replaces the definition in cell a1'],
    },
  ],
  [
    '[LO-1] the loops of examples 8',
    [
      'l0: > state tol',
      'l1: state tol > mark state [state]',
      'l2: state mark',
      'l3: state > state [state l1]',
    ],
    {
      edges: ['l0-l1 state', 'l0-l1 tol', 'l1-l2 state', 'l1-l2 mark', 'l1-l3 state'],
      order: 'l0 l1 l2 l3',
      roots: 'l0',
      leaves: 'l2 l3',
      consumed: ['l0: state tol', 'l1: mark state'],
      shadow: [
        'l1: "state" replaces the definition in cell l0',
        'l3: "state" replaces the definition in cell l1',
      ],
    },
  ],
  [
    '[LO-1] the carry of a loop that only changes it in place is read from the loop',
    ['a: > xs _y', 'b: xs [xs]', 'c: xs', 'd: > z [_y]'],
    {
      edges: ['a-b xs', 'b-c xs'],
      order: 'a d b c',
      roots: 'a d',
      leaves: 'c d',
      consumed: ['a: xs', 'b: xs'],
      shadow: ['b: "xs" replaces the definition in cell a'],
    },
  ],
  [
    '[LO-5] a loop starts from a loop of its carry above it, rather than from a nearer definer, and otherwise from none',
    [
      'a: > x y',
      'b: x > x [x]',
      'c: y > y [y]',
      'd: > x',
      'e: x > x [x b]',
      'f: x > x [x c]',
      'g: x > x [x h]',
      'h: x > x [x g]',
      'i: x > x [x i]',
    ],
    {
      edges: ['a-b x', 'a-c y', 'b-e x', 'g-h x'],
      order: 'a d f g i b c h e',
      roots: 'a d f g i',
      leaves: 'c d e f h i',
      consumed: ['a: x y', 'b: x', 'g: x'],
      shadow: [
        'b: "x" replaces the definition in cell a',
        'c: "y" replaces the definition in cell a',
        'd: "x" replaces the definition in cell b',
        'e: "x" replaces the definition in cell d',
        'f: "x" replaces the definition in cell e',
        'g: "x" replaces the definition in cell f',
        'h: "x" replaces the definition in cell g',
        'i: "x" replaces the definition in cell h',
      ],
    },
  ],
  [
    'a cell that reads and redefines a name takes the earlier one',
    ['a: > df', 'b: df > df', 'c: df > df', 'd: df'],
    {
      edges: ['a-b df', 'b-c df', 'c-d df'],
      order: 'a b c d',
      roots: 'a',
      leaves: 'd',
      consumed: ['a: df', 'b: df', 'c: df'],
      shadow: ['b: "df" replaces the definition in cell a', 'c: "df" replaces the definition in cell b'],
    },
  ],
  [
    'a later definer is not a producer; unknown and own ids after @after are dropped',
    ['a: x (a zz)', 'b: > x'],
    { edges: [], order: 'a b', roots: 'a b', leaves: 'a b', consumed: [], shadow: [] },
  ],
  [
    '@after may point forward',
    ['a: > x (c)', 'b: x', 'c:'],
    { edges: ['c-a', 'a-b x'], order: 'c a b', roots: 'c', leaves: 'b', consumed: ['a: x'], shadow: [] },
  ],
  [
    '[SO-100] a cell that may leave a name as it was gets it from the cell above, if any cell reads it',
    ['a: > x i', 'b: > x? i?', 'c: > x?', 'd: x'],
    {
      edges: ['a-b x', 'b-c x', 'c-d x'],
      order: 'a b c d',
      roots: 'a',
      leaves: 'd',
      consumed: ['a: x', 'b: x', 'c: x'],
      shadow: [
        'b: "x" replaces the definition in cell a "i" replaces the definition in cell a',
        'c: "x" replaces the definition in cell b',
      ],
    },
  ],
  [
    '[SO-100] a certain definition below it ends the chain',
    ['a: > x', 'b: > x?', 'c: > x', 'd: x'],
    {
      edges: ['c-d x'],
      order: 'a b c d',
      roots: 'a b c',
      leaves: 'a b d',
      consumed: ['c: x'],
      shadow: ['b: "x" replaces the definition in cell a', 'c: "x" replaces the definition in cell b'],
    },
  ],
  [
    '[SO-101] a name that is perhaps read binds only to an earlier definer',
    ['a: x? > y', 'b: y? z? > x', 'c: > z'],
    { edges: ['a-b y'], order: 'a c b', roots: 'a c', leaves: 'b c', consumed: ['a: y'], shadow: [] },
  ],
  [
    'names of Object.prototype are names',
    ['a: > constructor __proto__', 'b: constructor __proto__'],
    {
      edges: ['a-b constructor', 'a-b __proto__'],
      order: 'a b',
      roots: 'a',
      leaves: 'b',
      consumed: ['a: __proto__ constructor'],
      shadow: [],
    },
  ],
];

test.each(ROWS)('[GR-1] [GR-2] [GR-3] [GR-4] %s', (_name, lines, expected) => {
  const result = buildGraph(lines.map(cellOf));
  if (result.kind !== 'graph') throw new Error(result.message);
  expect(show(result.graph)).toEqual(expected);
});

test('[GR-1] wiring and producers name one cell per name', () => {
  const result = buildGraph(['a: > x', 'b: x > x y', 'c: x y z'].map(cellOf));
  if (result.kind !== 'graph') throw new Error(result.message);
  expect(Object.fromEntries(result.graph.wiring.get(cellId('c')) ?? [])).toEqual({ x: 'b', y: 'b' });
  expect(Object.fromEntries(result.graph.variableProducer())).toEqual({ x: 'b', y: 'b' });
});

const CYCLES: readonly (readonly [lines: readonly string[], cells: string])[] = [
  [['a: (b)', 'b: (a)'], 'a b'],
  [['s: > q', 'a: q > x (c)', 'b: x > y', 'c: y', 'd: y'], 'a b c'],
];

test.each(CYCLES)('[GR-20] a cycle in %j is named', (lines, cells) => {
  const result = buildGraph(lines.map(cellOf));
  if (result.kind !== 'cycle') throw new Error('no cycle found');
  expect([...result.cells].sort().join(' ')).toBe(cells);
});

const name = fc.constantFrom('p', 'q', 'r', 's', 't');
const notebook = fc
  .array(
    fc.record({
      defines: fc.uniqueArray(name, { maxLength: 2 }),
      references: fc.uniqueArray(name, { maxLength: 3 }),
      after: fc.array(fc.nat(12), { maxLength: 1 }),
    }),
    { maxLength: 12 },
  )
  .map((cells) =>
    cells.map(
      ({ defines, references, after }, i): GraphCell => ({
        id: cellId(`c${i}`),
        defines,
        references,
        builtinReferences: [],
        after: after.map((n) => `c${n}`),
        variant: null,
        perVariant: null,
      }),
    ),
  );

describe('any notebook', () => {
  test('[GR-1] [GR-4] binds each name to the nearest earlier definer and orders producers first', () => {
    fc.assert(
      fc.property(notebook, (cells) => {
        const result = buildGraph(cells);
        if (result.kind !== 'graph') {
          expect(result.cells.length).toBeGreaterThan(1);
          return;
        }
        const { graph } = result;
        const expected: string[] = [];
        for (const [at, cell] of cells.entries()) {
          for (const variable of cell.references) {
            const producer = cells
              .slice(0, at)
              .reverse()
              .find(({ defines }) => defines.includes(variable));
            if (producer !== undefined) expected.push(`${producer.id} ${cell.id} ${variable}`);
          }
          for (const id of cell.after) {
            if (id !== cell.id && cells.some((other) => other.id === id)) expected.push(`${id} ${cell.id} `);
          }
        }
        expect(graph.edges.map((e) => `${e.from_cell_id} ${e.to_cell_id} ${e.variable}`)).toEqual(expected);
        const rank = new Map(graph.topologicalOrder.map((id, i) => [id as string, i]));
        expect(rank.size).toBe(cells.length);
        for (const edge of graph.edges) {
          expect(rank.get(edge.from_cell_id)).toBeLessThan(rank.get(edge.to_cell_id) ?? -1);
        }
        for (const { id } of cells) {
          for (const below of descendantsOf(graph, id)) expect(ancestorsOf(graph, below)).toContain(id);
        }
      }),
      { numRuns: 300 },
    );
  });
});
