import { expect, it } from 'vitest';
import type { Cell } from './cell.ts';
import { cellView } from './cellView.ts';
import { type RunResult, runResult } from './runResult.ts';
import { sampleCell, sampleOutput } from './testing/sampleNotebook.ts';
import { cellViewOf, statusViewOf, variableViewOf } from './toCellView.ts';
import { runResultOf } from './toRunResult.ts';

/** A cell without runs, name and author. */
const BARE = {
  id: 'a1',
  name: 'a1',
  language: 'python',
  status: 'idle',
  source: '',
  staleness_reasons: [],
  defines: [],
  references: [],
  upstream_ids: [],
  downstream_ids: [],
  outputs: [],
  console_stdout: '',
  console_stderr: '',
  test: null,
  created_by: '',
  updated_by: '',
  controls: [],
};
const COUNTS = { passed: 1, failed: 0, errored: 0, skipped: 0 };
const CASE = { name: 'test_a', outcome: 'passed', message: '' } as const;

const VIEWS: readonly (readonly [string, Partial<Cell>, object])[] = [
  ['no fields that are not set', {}, {}],
  [
    'its name',
    { annotations: { ...sampleCell({ id: 'a1' }).annotations, name: 'total' } },
    { name: 'total' },
  ],
  [
    'the names that it defines as its name',
    { defines: ['n'], source: 'n = 1' },
    { name: 'n', defines: ['n'], source: 'n = 1' },
  ],
  ['its error', { error: 'ZeroDivisionError' }, { error: 'ZeroDivisionError' }],
  [
    'its outputs, without the data that only a page needs',
    { display_outputs: [sampleOutput({ content_type: 'json/object', preview: 4, bytes: 1 })] },
    {
      outputs: [
        { content_type: 'json/object', preview: 4, rows: null, columns: null, artifact_uri: null, bytes: 1 },
      ],
    },
  ],
  [
    'the results of its tests',
    {
      test_result: {
        ...COUNTS,
        tests: [{ ...CASE, nodeid: 'a1.test.py::test_a' }],
        pytest_unavailable: false,
        ran_at: 1,
        cell_source_hash: '',
        test_source_hash: '',
        input_fingerprint: '',
        auto_installed: [],
        stale: false,
      },
    },
    { test: { ...COUNTS, cases: [CASE] } },
  ],
  [
    'its controls with their values',
    {
      widget: {
        descriptors: [
          { name: 'n', kind: 'slider', params: { min: 0, max: 9 }, default: 1 },
          { name: 'b', kind: 'checkbox', params: {}, default: true },
        ],
        values: { n: 5 },
      },
    },
    {
      controls: [
        { name: 'n', kind: 'slider', params: { min: 0, max: 9 }, default: 1, value: 5 },
        { name: 'b', kind: 'checkbox', params: {}, default: true, value: true },
      ],
    },
  ],
];

it.each(VIEWS)('[CL-15] the view of a cell has %s', (_name, part, view) => {
  const actual = cellViewOf(sampleCell({ id: 'a1', ...part }));
  expect(actual).toEqual({ ...BARE, ...view });
  expect(cellView.parse(actual)).toEqual(actual);
});

it('[CL-15] the view of a variable names the cell that its readers get it from, or the existing variables', () => {
  const cells = [
    sampleCell({ id: 'on', defines: ['x', 'y'] }),
    sampleCell({ id: 'off', defines: ['x'], variant_active: false }),
  ];
  expect(variableViewOf(cells, 'x')).toMatchObject({ defined: true, defined_in: 'on', cell: { id: 'on' } });
  expect(variableViewOf(cells, 'z')).toEqual({ variable: 'z', defined: false, available: ['x', 'y'] });
});

it('[CL-15] the overview of a notebook has a line for each cell', () => {
  const cells = [sampleCell({ id: 'a1', defines: ['x'] })];
  expect(statusViewOf({ id: 'nb', name: 'Sales', cells })).toEqual({
    notebook_id: 'nb',
    name: 'Sales',
    cells: [
      {
        id: 'a1',
        name: 'x',
        language: 'python',
        status: 'idle',
        staleness_reasons: [],
        defines: ['x'],
      },
    ],
  });
});

const RAN: Parameters<typeof runResultOf>[0] = {
  cell_id: 'a1',
  status: 'ready',
  stdout: 'hi\n',
  stderr: '',
  outputs: {},
  displays: [],
  display: null,
  duration_ms: 12,
  error: null,
  traceback: null,
  cache_hit: false,
  artifact_uri: null,
  execution_method: 'warm',
  mutation_warnings: [],
  from_team_cache: false,
  team_cache_principal: null,
  team_cache_build_env: '',
  team_cache_saved_ms: 0,
  team_cache_promotion: null,
};
const OK: RunResult = {
  cell_id: 'a1',
  status: 'ok',
  cache_hit: false,
  execution_method: 'warm',
  duration_ms: 12,
  stdout: 'hi\n',
  stderr: '',
};

const RESULTS: readonly (readonly [string, typeof RAN, RunResult])[] = [
  ['a run that succeeded', RAN, OK],
  [
    'one that failed',
    { ...RAN, status: 'error', error: 'E: x', traceback: 'T', error_code: 'cancelled' },
    { ...OK, status: 'error', error: 'E: x', traceback: 'T', error_code: 'cancelled' },
  ],
  [
    'the end of the printed text',
    { ...RAN, stdout: `a${'b'.repeat(10_000)}` },
    { ...OK, stdout: 'b'.repeat(10_000) },
  ],
];
it.each(RESULTS)('[CL-15] the result of a run: %s', (_name, answer, expected) => {
  const result = runResultOf(answer);
  expect(result).toEqual(expected);
  expect(runResult.parse(result)).toEqual(result);
});
