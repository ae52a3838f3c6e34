/** Builds the Vega-Lite figure that previews a chart in the chart dialog. */

import { TABLE_WORDS } from '../../words/table.ts';
import { CHART_NEEDS, type Chart } from './code/chartCode.ts';
import type { CodeColumn } from './code/codeTable.ts';
import { isCategory } from './code/codeTable.ts';

export const VEGA_LITE = 'application/vnd.vegalite.v5+json';
/** The height of the preview, in CSS px. */
const HEIGHT = 190;
const BINS = 30;

/** The columns of a chart; `y` and `color` are null if the chart does not use them. */
export interface ChartColumns {
  readonly x: CodeColumn;
  readonly y: CodeColumn | null;
  readonly color: CodeColumn | null;
}

/** The values of one point, in the order in which `chartColumns` names them. */
export interface Point {
  readonly x: unknown;
  readonly y: unknown;
  readonly color: unknown;
}

/** The columns that a chart of this kind shows; null while one of them is missing. */
export function chartColumns(chart: Chart, columns: readonly CodeColumn[]): ChartColumns | null {
  const named = (name: string | null): CodeColumn | null => columns.find((one) => one.name === name) ?? null;
  const needs = CHART_NEEDS[chart.kind];
  const x = named(chart.x);
  return x === null
    ? null
    : { x, y: needs.y ? named(chart.y) : null, color: needs.color ? named(chart.color) : null };
}

/** Whether the server computes one value per group of rows: such a chart shows all rows, not only the first ones. */
export function isGrouped({ kind }: Chart): boolean {
  return kind === 'bar' || kind === 'line';
}

/** A Vega-Lite figure of these points as JSON, like the one that the chart's code draws. */
export function chartSpec(chart: Chart, columns: ChartColumns, points: readonly Point[]): string {
  return JSON.stringify({
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    width: 'container',
    height: HEIGHT,
    autosize: { type: 'fit', contains: 'padding' },
    data: { values: points },
    ...markAndEncoding(chart, columns),
  });
}

const COUNT = { aggregate: 'count', type: 'quantitative', title: TABLE_WORDS.rowCount };

function markAndEncoding(chart: Chart, { x, y, color }: ChartColumns): object {
  switch (chart.kind) {
    case 'histogram':
      return {
        mark: 'bar',
        encoding: { x: { ...field('x', x), type: 'quantitative', bin: { maxbins: BINS } }, y: COUNT },
      };
    case 'scatter':
      return {
        mark: { type: 'circle', opacity: 0.6 },
        encoding: { x: field('x', x), ...yEncoding(y), ...colorOf(color) },
      };
    case 'heat':
      return { mark: 'rect', encoding: { x: binnedAxis('x', x), ...yEncoding(y, binnedAxis), color: COUNT } };
    case 'bar':
    case 'line': {
      const title = y === null ? TABLE_WORDS.rowCount : `${y.name} ${chart.agg}`;
      return {
        mark: chart.kind,
        encoding: {
          x: {
            ...field('x', x),
            ...(chart.kind === 'bar' && x.kind === 'number' ? { type: 'ordinal' } : {}),
          },
          y: { field: 'y', type: 'quantitative', title },
          ...colorOf(color),
        },
      };
    }
    default:
      return chart.kind satisfies never;
  }
}

function field(name: 'x' | 'y', column: CodeColumn): { field: string; type: string; title: string } {
  const type =
    column.kind === 'temporal' ? 'temporal' : column.kind === 'number' ? 'quantitative' : 'nominal';
  return { field: name, type, title: column.name };
}

function binnedAxis(name: 'x' | 'y', column: CodeColumn): object {
  return { ...field(name, column), ...(column.kind === 'number' ? { bin: { maxbins: BINS } } : {}) };
}

function yEncoding(column: CodeColumn | null, by: (name: 'y', column: CodeColumn) => object = field): object {
  return column === null ? {} : { y: by('y', column) };
}

function colorOf(column: CodeColumn | null): object {
  if (column === null) return {};
  const type = column.kind === 'number' && !isCategory(column) ? 'quantitative' : 'nominal';
  return { color: { field: 'color', type, title: column.name } };
}
