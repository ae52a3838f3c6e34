import { expect, test } from 'vitest';
import { chartColumns, chartSpec } from './chartSpec.ts';
import type { Chart } from './code/chartCode.ts';
import type { CodeColumn } from './code/codeTable.ts';

const column = (name: string, kind: CodeColumn['kind']): CodeColumn => ({ name, dtype: null, kind });
const COLUMNS = [
  column('city', 'text'),
  column('day', 'temporal'),
  column('km.total', 'number'),
  column('year', 'number'),
];
const plain: Chart = { kind: 'bar', x: 'city', y: null, agg: 'mean', color: null };
const count = { aggregate: 'count', type: 'quantitative', title: 'Number of rows' };
const x = (type: string, title: string, more = {}) => ({ field: 'x', type, title, ...more });

test.each<[what: string, chart: Partial<Chart>, mark: unknown, encoding: object]>([
  [
    'bars count rows',
    {},
    'bar',
    { x: x('nominal', 'city'), y: { field: 'y', type: 'quantitative', title: 'Number of rows' } },
  ],
  [
    'bars of numbers are placed next to each other',
    { x: 'year', y: 'km.total', agg: 'sum' },
    'bar',
    { x: x('ordinal', 'year'), y: { field: 'y', type: 'quantitative', title: 'km.total sum' } },
  ],
  [
    'lines in colors',
    { kind: 'line', x: 'day', y: 'km.total', color: 'city' },
    'line',
    {
      x: x('temporal', 'day'),
      y: { field: 'y', type: 'quantitative', title: 'km.total mean' },
      color: { field: 'color', type: 'nominal', title: 'city' },
    },
  ],
  [
    'histogram',
    { kind: 'histogram', x: 'km.total', y: 'year', color: 'city' },
    'bar',
    { x: x('quantitative', 'km.total', { bin: { maxbins: 30 } }), y: count },
  ],
  [
    'scatter',
    { kind: 'scatter', x: 'year', y: 'km.total' },
    { type: 'circle', opacity: 0.6 },
    { x: x('quantitative', 'year'), y: { field: 'y', type: 'quantitative', title: 'km.total' } },
  ],
  [
    'heat map, numbers in intervals',
    { kind: 'heat', x: 'city', y: 'year' },
    'rect',
    {
      x: x('nominal', 'city'),
      y: { field: 'y', type: 'quantitative', title: 'year', bin: { maxbins: 30 } },
      color: count,
    },
  ],
])('[WI-411] the preview of a chart: %s', (_what, change, mark, encoding) => {
  const chart = { ...plain, ...change };
  const columns = chartColumns(chart, COLUMNS);
  if (columns === null) throw new Error('no column');
  const spec: object = JSON.parse(chartSpec(chart, columns, [{ x: 'a', y: 1, color: null }]));
  expect(spec).toMatchObject({ mark, data: { values: [{ x: 'a', y: 1, color: null }] } });
  expect(spec).toHaveProperty('encoding', encoding);
});

test('[WI-411] a chart of a column that the table does not have has no preview', () => {
  expect(chartColumns({ ...plain, x: 'gone' }, COLUMNS)).toBeNull();
});
