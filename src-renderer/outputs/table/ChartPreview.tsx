/** Preview of a chart in the dialog that makes a chart from a table (ChartDialog.tsx). */

import { useMemo } from 'react';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { FrameView } from '../FrameView.tsx';
import { type ChartColumns, chartSpec, isGrouped, VEGA_LITE } from './chartSpec.ts';
import type { Chart } from './code/chartCode.ts';
import type { TableQuery } from './tableQuery.ts';
import { useChartPoints } from './useChartPoints.ts';
import type { TableSource } from './useTablePage.ts';

/** The chart as its cell will draw it; if it does not show the complete table, with a note about the part shown. */
export function ChartPreview(props: {
  source: TableSource;
  query: TableQuery;
  chart: Chart;
  columns: ChartColumns;
}) {
  const { source, query, chart, columns } = props;
  const state = useChartPoints(source, query, { chart, columns });
  const spec = useMemo(
    () => (state.kind === 'points' ? chartSpec(state.chart, state.columns, state.points) : null),
    [state],
  );
  const { sessionId, cellId, index = 0 } = source;
  return (
    <section className="chart-preview" aria-label={TABLE_WORDS.chartPreview}>
      {state.kind === 'loading' ? <p role="status">{TABLE_WORDS.loading}</p> : null}
      {state.kind === 'problem' ? <p role="alert">{TABLE_WORDS.noChartPreview(state.words)}</p> : null}
      {spec === null ? null : (
        <FrameView text={spec} contentType={VEGA_LITE} {...{ sessionId, cellId, index }} />
      )}
      {state.kind === 'points' && state.points.length < state.total ? (
        <p className="stats-note">
          {(isGrouped(state.chart) ? TABLE_WORDS.chartOfGroups : TABLE_WORDS.chartOfRows)(
            countText(state.points.length),
            countText(state.total),
          )}
        </p>
      ) : null}
    </section>
  );
}
