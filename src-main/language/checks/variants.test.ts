import { describe, expect, it } from 'vitest';
import { buildGraph, NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { parseNotebookToml } from '../../notebook/file/notebookFile.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import { graphCell } from '../graphCell.ts';
import { diagnosticsOf } from './checks.ts';

const analyzer = await createAnalyzer();

/** A cell's source, in Python unless a language is given. */
type CellText = string | readonly [language: Language, source: string];

/** Every diagnostic of a notebook, in order; `row` is `cell severity code line`. */
function diagnosticsOfCells(texts: Readonly<Record<string, CellText>>, toml = '') {
  const sources = new Map(
    Object.entries(texts).map(([id, cell]) => [
      id,
      typeof cell === 'string' ? (['python', cell] as const) : cell,
    ]),
  );
  const blocks = [...sources].map(
    ([id, [language]], order) =>
      `[[cells]]\nid = "${id}"\nfile = "cells/${id}.py"\nlanguage = "${language}"\norder = ${order}`,
  );
  const file = parseNotebookToml(['notebook_id = "n"', toml, ...blocks].join('\n'));
  const checked = file.cells.map((entry) => {
    const [language, source] = sources.get(entry.id) ?? (['python', ''] as const);
    return { id: entry.id, entry, source, analysis: analyzeCell(analyzer, { language, source }) };
  });
  const cells = checked.map(({ id, analysis }) => graphCell(id, analysis));
  const linked = buildGraph(cells, file.variantGroups);
  const graph = linked.kind === 'graph' ? linked.graph : { ...NO_GRAPH, ...linked.variants };
  const notebook = { file, cells: new Map(checked.map((cell) => [cell.id, cell])), graph };
  return checked.flatMap((cell) =>
    diagnosticsOf(cell, notebook).map(({ severity, code, line, message }) => ({
      row: `${cell.id} ${severity} ${code} ${line}`,
      message,
    })),
  );
}

const entry = (text: string) => `[[variant_group]]\ngroup = "m"\n${text}`;
const LO = '# @variant m lo\nx = 1';
const HI = '# @name n\n# @variant m hi\nx = 2';
const SWEEP = entry('active = ""\nmode = "sweep"');

type Row = readonly [
  name: string,
  sources: Readonly<Record<string, CellText>>,
  toml: string,
  expected: readonly string[],
];

const ROWS: readonly Row[] = [
  ['two that match', { a: LO, b: HI }, '', []],
  ['a line of one word', { a: '# @variant m\nx = 1' }, '', ['a warn variant_malformed 1']],
  [
    'an unknown mode',
    { a: LO, b: HI },
    entry('active = "hi"\nmode = "both"'),
    ['a warn variant_mode_invalid 1', 'b warn variant_mode_invalid 2'],
  ],
  [
    'an active variant that is not a member',
    { a: LO, b: HI },
    entry('active = "no"'),
    ['a warn variant_active_unknown 1', 'b warn variant_active_unknown 2'],
  ],
  [
    'an active variant in a sweep',
    { a: LO, b: HI },
    entry('active = "hi"\nmode = "sweep"'),
    ['a info variant_active_redundant 1', 'b info variant_active_redundant 2'],
  ],
  [
    'names that differ in imports only',
    {
      a: '# @variant m lo\nimport numpy as np, os.path\nx = 1',
      b: '# @variant m hi\nfrom a import b as c\nx = 1',
    },
    '',
    [],
  ],
  [
    'names that differ',
    { a: '# @variant m lo\nx = 1', b: '# @variant m hi\ny = 1\nx = 1' },
    '',
    ['a warn variant_contract_mismatch 1', 'b warn variant_contract_mismatch 1'],
  ],
  [
    'both a variant and once per variant',
    { a: LO, b: HI, c: '# @variant k one\n# @per_variant\ny = x' },
    SWEEP,
    ['c warn per_variant_on_variant_member 2'],
  ],
  ['once per variant of the group it reads', { a: LO, b: HI, c: '# @per_variant\ny = x' }, SWEEP, []],
  ['a chain of them', { a: LO, b: HI, c: '# @per_variant\ny = x', d: '# @per_variant m\nz = y' }, SWEEP, []],
  ['of a group of one', { a: LO, c: '# @per_variant\ny = x' }, SWEEP, ['c info per_variant_group_of_one 1']],
  [
    'of a switched group',
    { a: LO, b: HI, c: '# @per_variant\ny = x' },
    '',
    ['c warn per_variant_no_sweep_source 1'],
  ],
  [
    'of a group it does not read',
    { a: LO, b: HI, c: '# @per_variant k\ny = x' },
    SWEEP,
    ['c warn per_variant_unknown_group 1'],
  ],
  [
    'of two groups, none named',
    { a: LO, b: HI, k: '# @variant k one\nw = 1', c: '# @per_variant\ny = x + w' },
    `${SWEEP}\n[[variant_group]]\ngroup = "k"\nactive = ""\nmode = "sweep"`,
    ['c warn per_variant_ambiguous_group 1'],
  ],
  [
    'in a loop',
    { a: LO, b: HI, c: '# @per_variant\n# @loop max_iter=2 carry=y\ny = x' },
    SWEEP,
    ['c warn per_variant_no_sweep_source 1'],
  ],
  ...(['r', 'sql', 'prompt'] as const).map(
    (language): Row => [
      `in a cell of ${language}, which runs once`,
      { a: LO, b: HI, c: [language, '# @sql connection=db\n# @per_variant\nSELECT :x -- {{ x }}'] },
      SWEEP,
      [
        ...(language === 'sql' ? ['c warn sql_connection_unknown 1'] : []),
        'c warn per_variant_no_sweep_source 2',
      ],
    ],
  ),
  [
    'no diagnostic about readers if the notebook has no graph',
    { a: LO, b: LO, c: '# @per_variant\ny = x' },
    SWEEP,
    [],
  ],
];

describe('[VR-22] diagnostics of variants', () => {
  for (const [name, sources, toml, expected] of ROWS) {
    it(name, () => expect(diagnosticsOfCells(sources, toml).map(({ row }) => row)).toEqual(expected));
  }

  it('names the missing and the extra names', () => {
    const messages = diagnosticsOfCells({ a: '# @variant m lo\nx = 1', b: '# @variant m hi\ny = 1' }).map(
      ({ message }) => message,
    );
    expect(messages).toEqual([
      '"lo" does not define the same names as "hi": missing y; extra x.',
      '"hi" does not define the same names as "lo": missing x; extra y.',
    ]);
  });
});
