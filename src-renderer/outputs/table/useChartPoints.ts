/** Hook that loads the points for the preview of a chart of a table. */

import { useEffect, useState } from 'react';
import { callRoute, RestError } from '../../live/rest.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { type ChartColumns, isGrouped, type Point } from './chartSpec.ts';
import type { Chart } from './code/chartCode.ts';
import { narrowingParams, type TableQuery } from './tableQuery.ts';
import { fetchPageOf, type TableSource } from './useTablePage.ts';

/** The most rows or groups that a preview shows: the server sends no more in one response. */
const MOST = 500;

interface Points {
  readonly points: readonly Point[];
  /** The number of all rows or groups; `points` are the first of them. */
  readonly total: number;
}

export type PointsState =
  | { readonly kind: 'loading' }
  | ({ readonly kind: 'points'; readonly chart: Chart; readonly columns: ChartColumns } & Points)
  | { readonly kind: 'problem'; readonly words: string };

/**
 * The points of a chart: for bars and lines one exact value for each group of all rows; for other kinds the first rows.
 * The previous points stay while new ones are loading.
 */
export function useChartPoints(
  source: TableSource,
  query: TableQuery,
  ask: { readonly chart: Chart; readonly columns: ChartColumns },
): PointsState {
  const [state, setState] = useState<PointsState>({ kind: 'loading' });
  const key = JSON.stringify([ask, query.search, query.filters, source.output.artifact_uri]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains everything that is sent
  useEffect(() => {
    const stop = new AbortController();
    (isGrouped(ask.chart) ? groups : firstRows)(source, { query, ...ask }, stop.signal)
      .then((points) => setState({ kind: 'points', ...ask, ...points }))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ kind: 'problem', words: error.message });
      });
    return () => stop.abort();
  }, [key]);
  return state;
}

type Ask = { readonly query: TableQuery; readonly chart: Chart; readonly columns: ChartColumns };

/** @throws RestError */
async function groups(source: TableSource, ask: Ask, signal: AbortSignal): Promise<Points> {
  const { query, chart, columns } = ask;
  const { x, y, color } = columns;
  const keys = [...new Set([x.name, ...(color === null ? [] : [color.name])])];
  const measure = y === null ? { agg: 'rows' } : { col: y.name, agg: chart.agg };
  const answer = await callRoute(
    'cellGroups',
    {
      params: { sid: source.sessionId, cell_id: source.cellId },
      query: {
        artifact_uri: source.output.artifact_uri ?? '',
        by: JSON.stringify(keys),
        measures: JSON.stringify([measure]),
        limit: MOST,
        ...narrowingParams(query),
      },
    },
    { signal },
  );
  if (!answer.pageable) throw new RestError(TABLE_WORDS.unavailable, { status: 200, code: null });
  const points = answer.rows.map((row) => ({
    x: row[0],
    y: row[keys.length],
    color: color === null ? null : row[keys.indexOf(color.name)],
  }));
  return { points, total: answer.total };
}

/** @throws RestError */
async function firstRows(source: TableSource, ask: Ask, signal: AbortSignal): Promise<Points> {
  const { x, y, color } = ask.columns;
  const query = { ...ask.query, sorts: [] };
  const { columns, rows, total } = await fetchPageOf(source, query)(0, MOST, signal);
  const cellOf = (row: readonly unknown[], column: { readonly name: string } | null): unknown =>
    column === null ? null : row[columns.indexOf(column.name)];
  return {
    points: rows.map((row) => ({ x: cellOf(row, x), y: cellOf(row, y), color: cellOf(row, color) })),
    total,
  };
}
