import { describe, expect, it, test } from 'vitest';
import { buildGraph, type Graph, type GraphCell } from './graph.ts';
import { cellId } from './ids.ts';
import { withVariant } from './variantDirective.ts';
import { readVariantLabel, unusedCopyName, type VariantSetting, variantLabel } from './variants.ts';

/** `id: references > defines (after) @group/name %group`: a variant and a fan-out (`%` alone infers its group). */
function cellOf(line: string): GraphCell {
  const match = /^(\w+):([^>(@%]*)(?:>([^(@%]*))?(?:\((.*)\))?\s*(?:@(\w+)\/(\w+))?\s*(?:%(\w*))?$/.exec(
    line,
  );
  if (match === null) throw new Error(`bad row ${line}`);
  const [, id = '', reads = '', defines = '', after = '', group, name, perVariant] = match;
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  return {
    id: cellId(id),
    defines: words(defines),
    references: words(reads),
    builtinReferences: [],
    after: words(after),
    loop: null,
    variant: group === undefined || name === undefined ? null : { group, name },
    perVariant: perVariant === undefined ? null : { group: perVariant === '' ? null : perVariant },
  };
}

function show(graph: Graph) {
  return {
    edges: graph.edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`.trim()),
    order: graph.topologicalOrder.join(' '),
    leaves: graph.leaves.join(' '),
    stores: [...graph.consumed].flatMap(([id, names]) =>
      names.length === 0 ? [] : [`${id} ${names.join(' ')}`],
    ),
    bundles: [...graph.bundles].flatMap(([id, names]) =>
      [...names].map(
        ([name, { kind, variants }]) =>
          `${id}.${name} ${kind} ${variants.map((one) => `${one.name}=${one.cellId}`).join(' ')}`,
      ),
    ),
    fans: [...graph.fanOuts].map(([id, { group, variants }]) => `${id} ${group}: ${variants.join(' ')}`),
    producers: [...graph.variableProducer()].map(([name, producer]) => `${name} ${producer}`),
    shadow: [...graph.shadowWarnings].flatMap(([id, words]) => words.map((one) => `${id}: ${one}`)),
    groups: graph.groups.map(
      ({ group, mode, activeName, activeCellId, members }) =>
        `${group} ${mode} ${activeName}=${activeCellId}: ${members
          .map(({ name, isActive }) => (isActive ? `${name}*` : name))
          .join(' ')}`,
    ),
  };
}

type Shown = Partial<ReturnType<typeof show>>;

/** docs/spec/examples.md, 7. */
const WORKED = [
  's0: > base',
  'va: base > score @m/lo',
  'vb: base > score extra @m/hi',
  'f1: score > sq %',
  'c1: score',
  'c2: sq',
  'c3: extra',
];

const ROWS: readonly (readonly [
  what: string,
  cells: readonly string[],
  settings: readonly VariantSetting[],
  shown: Shown,
])[] = [
  [
    '[VR-1] [VR-2] [VR-3] the worked example, swept',
    WORKED,
    [{ group: 'm', active: '', mode: 'sweep' }],
    {
      edges: [
        's0-va base',
        's0-vb base',
        'va-f1 score',
        'vb-f1 score',
        'va-c1 score',
        'vb-c1 score',
        'f1-c2 sq',
        'vb-c3 extra',
      ],
      order: 's0 va vb f1 c1 c3 c2',
      leaves: 'c1 c2 c3',
      stores: ['s0 base', 'va score', 'vb extra score', 'f1 sq'],
      bundles: [
        'f1.score sweep hi=vb lo=va',
        'c1.score sweep hi=vb lo=va',
        'c2.sq fanout hi=f1 lo=f1',
        'c3.extra sweep hi=vb',
      ],
      fans: ['f1 m: hi lo'],
      producers: ['base s0', 'score sweep:m', 'extra sweep:m', 'sq fanout:m'],
      shadow: [],
      groups: ['m sweep lo=va: lo* hi*'],
    },
  ],
  [
    '[VR-1] the worked example, switched to hi: lo is out of the graph',
    WORKED,
    [{ group: 'm', active: 'hi', mode: 'switch' }],
    {
      edges: ['s0-vb base', 'vb-f1 score', 'vb-c1 score', 'f1-c2 sq', 'vb-c3 extra'],
      order: 's0 vb f1 c1 c3 c2',
      leaves: 'c1 c2 c3',
      bundles: [],
      fans: [],
      producers: ['base s0', 'score vb', 'extra vb', 'sq f1'],
      groups: ['m switch hi=vb: lo hi*'],
    },
  ],
  [
    '[VR-1] without a setting the first member is active; what it lacks is bound to nothing',
    WORKED,
    [],
    { order: 's0 c3 va f1 c1 c2', edges: ['s0-va base', 'va-f1 score', 'va-c1 score', 'f1-c2 sq'] },
  ],
  [
    '[VR-1] the first member is also active if the file names none of the members',
    ['a: > x @m/lo', 'b: > x @m/hi'],
    [{ group: 'm', active: 'nobody', mode: 'switch' }],
    { order: 'a', groups: ['m switch lo=a: lo* hi'] },
  ],
  [
    '[VR-2] members do not see each other, and each reads the definer before the group',
    ['s: > x', 'a: x > x @m/lo', 'b: x > x @m/hi', 'c: x'],
    [{ group: 'm', active: '', mode: 'sweep' }],
    {
      edges: ['s-a x', 's-b x', 'a-c x', 'b-c x'],
      shadow: ['a: "x" replaces the definition in cell s', 'b: "x" replaces the definition in cell s'],
      producers: ['x sweep:m'],
    },
  ],
  [
    '[VR-2] a cell between two members sees only the earlier one; a later definer replaces the group',
    ['a: > x @m/lo', 'p: x', 'b: > x @m/hi', 'q: > x', 'c: x'],
    [{ group: 'm', active: '', mode: 'sweep' }],
    {
      edges: ['a-p x', 'q-c x'],
      bundles: ['p.x sweep lo=a'],
      shadow: ['q: "x" replaces the definition in group m'],
    },
  ],
  [
    '[VR-3] chained fan-outs zip by name, and a reader of both gets dicts',
    ['a: > x @m/lo', 'b: > x @m/hi', 'f: x > y %', 'g: x y > z %m', 'c: z y'],
    [{ group: 'm', active: '', mode: 'sweep' }],
    {
      fans: ['f m: hi lo', 'g m: hi lo'],
      bundles: [
        'f.x sweep hi=b lo=a',
        'g.x sweep hi=b lo=a',
        'g.y fanout hi=f lo=f',
        'c.z fanout hi=g lo=g',
        'c.y fanout hi=f lo=f',
      ],
    },
  ],
  [
    '[VR-3] of two groups one has to be named; the other one stays a dict',
    ['a: > x @m/lo', 'b: > x @m/hi', 'p: > w @n/one', 'f: x w > y %', 'g: x w > z %n', 'h: x > v %nobody'],
    [
      { group: 'm', active: '', mode: 'sweep' },
      { group: 'n', active: '', mode: 'sweep' },
    ],
    { fans: ['g n: one'] },
  ],
  [
    '[VR-3] a variant is not a fan-out',
    ['a: > x @m/lo', 'b: > x @m/hi', 'f: x > y @k/one %'],
    [{ group: 'm', active: '', mode: 'sweep' }],
    { fans: [], bundles: ['f.x sweep hi=b lo=a'] },
  ],
  [
    '[VR-1] @after an inactive variant orders nothing',
    ['a: > x @m/lo', 'b: > x @m/hi', 'c: (b)', 'd: (a)'],
    [],
    { edges: ['a-d'], order: 'a c d' },
  ],
];

describe('groups of variants', () => {
  test.each(ROWS)('%s', (_what, lines, settings, expected) => {
    const result = buildGraph(lines.map(cellOf), settings);
    if (result.kind !== 'graph') throw new Error(result.message);
    const all = show(result.graph);
    const keys = Object.keys(expected) as (keyof Shown)[];
    expect(Object.fromEntries(keys.map((key) => [key, all[key]]))).toEqual(expected);
  });

  it('[VR-4] two variants of one name leave no graph, and the groups are still known', () => {
    const result = buildGraph(['a: > x @m/lo', 'b: > x @m/lo', 'c: x'].map(cellOf));
    expect(result).toMatchObject({ kind: 'duplicate', cells: ['a', 'b'] });
    if (result.kind === 'graph') throw new Error('there is a graph');
    expect(result.message).toContain('"lo" of "m"');
    expect(result.variants.groups[0]?.members.length).toBe(2);
  });

  for (const [taken, name] of [
    [[], 'lo_copy'],
    [['lo_copy'], 'lo_copy2'],
    [['lo_copy', 'lo_copy2'], 'lo_copy3'],
    [['lo_copy2'], 'lo_copy'],
  ] as const) {
    it(`[VR-18] a copy beside ${JSON.stringify(taken)} is ${name}`, () =>
      expect(unusedCopyName('lo', new Set(taken))).toBe(name));
  }

  for (const [source, written] of [
    ['x = 1', '# @variant m hi\nx = 1'],
    ['# @name n\r\n# @variant m lo\r\nx = 1', '# @name n\r\n# @variant m hi\r\nx = 1'],
    ['# @variant m lo\n# @variant m lo2\nx = 1', '# @variant m hi\nx = 1'],
    ['# words\nx = 1\n# @variant later ignored', '# @variant m hi\n# words\nx = 1\n# @variant later ignored'],
  ] as const) {
    it(`[VR-18] ${JSON.stringify(source)} as another variant`, () =>
      expect(withVariant(source, { group: 'm', name: 'hi' })).toBe(written));
  }

  for (const label of ['x', 'x@variant=lo', '__display__0@variant=a_var_b']) {
    it(`a label is read as it was written: ${label}`, () => {
      const { name, variant } = readVariantLabel(label);
      expect(variantLabel(name, variant)).toBe(label);
    });
  }
});
