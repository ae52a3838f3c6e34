/** Dialog that makes a chart from a table result and inserts the Altair cell that draws it. */

import './facts.css';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { ChartPreview } from './ChartPreview.tsx';
import { CodePreview } from './CodePreview.tsx';
import { chartColumns } from './chartSpec.ts';
import { CHART_NEEDS, CHARTS, type Chart, chartCode } from './code/chartCode.ts';
import { tryWriteCode } from './code/codeOf.ts';
import type { CodeTable } from './code/codeTable.ts';
import type { GridColumn } from './columnLayout.ts';
import type { TableQuery } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

const AGGREGATES = ['mean', 'sum', 'median', 'min', 'max', 'count'] as const;
/** The value for "no column", as a select has no empty option. */
const NONE = '\u0000none';

/** Configures a chart of the shown rows, and inserts the Altair cell that draws it. */
export function ChartDialog(props: {
  source: TableSource;
  table: CodeTable;
  columns: readonly GridColumn[];
  query: TableQuery;
  onInsert: (source: string) => void;
  onClose: () => void;
}) {
  const { source, table, columns, query, onInsert, onClose } = props;
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const [chart, setChart] = useState<Chart>(() => ({
    kind: 'bar',
    x: (columns.find(({ kind }) => kind === 'text' || kind === 'bool') ?? columns[0])?.name ?? '',
    y: null,
    agg: 'mean',
    color: null,
  }));
  const needs = CHART_NEEDS[chart.kind];
  const change = (part: Partial<Chart>): void => setChart({ ...chart, ...part });
  const optionOf = ({ name, label }: GridColumn) => ({ value: name, label: label || TABLE_WORDS.index });
  const axes = chartColumns(chart, table.columns);
  const code = tryWriteCode('python', () => chartCode(table, query, chart));
  // In scatter plots and heat maps both axes are free; in other charts the second is a number or the count.
  const free = chart.kind === 'scatter' || chart.kind === 'heat';
  const yColumns = chart.kind === 'heat' ? columns : numbers;
  const chooseKind = (kind: Chart['kind']): void => {
    const [first, second = first] = numbers;
    if (kind === 'histogram') change({ kind, x: first?.name ?? chart.x });
    else if (kind === 'scatter')
      change({ kind, x: first?.name ?? chart.x, y: chart.y ?? second?.name ?? null });
    else if (kind === 'heat')
      change({ kind, y: chart.y ?? columns.find(({ name }) => name !== chart.x)?.name ?? null });
    else if (kind === 'line') {
      const time = columns.find((one) => one.kind === 'temporal');
      change({
        kind,
        x: time?.name ?? chart.x,
        y: numbers.some(({ name }) => name === chart.y) ? chart.y : null,
      });
    } else change({ kind, y: numbers.some(({ name }) => name === chart.y) ? chart.y : null });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      title={TABLE_WORDS.chart}
      description={TABLE_WORDS.chartHint}
      footer={
        <>
          <Button onClick={onClose}>{TABLE_WORDS.cancel}</Button>
          <Button
            kind="primary"
            disabled={code.kind === 'none'}
            onClick={() => {
              if (code.kind === 'code') onInsert(code.source);
              onClose();
            }}
          >
            {TABLE_WORDS.insertChart}
          </Button>
        </>
      }
    >
      <div className="group-form">
        <Segmented
          label={TABLE_WORDS.chartKind}
          value={chart.kind}
          options={CHARTS.map((kind) => ({ value: kind, label: TABLE_WORDS.charts[kind] }))}
          onChange={chooseKind}
        />
        <div className="chart-form">
          <Select
            label={TABLE_WORDS.chartX}
            value={chart.x}
            options={(chart.kind === 'histogram' ? numbers : columns).map(optionOf)}
            onChange={(x) => change({ x })}
          />
          {needs.y ? (
            <Select
              label={TABLE_WORDS.chartY}
              value={chart.y ?? NONE}
              options={[
                ...(free ? [] : [{ value: NONE, label: TABLE_WORDS.rowCount }]),
                ...yColumns.map(optionOf),
              ]}
              onChange={(y) => change({ y: y === NONE ? null : y })}
            />
          ) : null}
          {needs.agg && chart.y !== null ? (
            <Select
              label={TABLE_WORDS.aggregate}
              value={chart.agg}
              options={AGGREGATES.map((agg) => ({ value: agg, label: TABLE_WORDS.aggregates[agg] }))}
              onChange={(agg) => change({ agg })}
            />
          ) : null}
          {needs.color ? (
            <Select
              label={TABLE_WORDS.chartColor}
              value={chart.color ?? NONE}
              options={[{ value: NONE, label: TABLE_WORDS.noColor }, ...columns.map(optionOf)]}
              onChange={(color) => change({ color: color === NONE ? null : color })}
            />
          ) : null}
        </div>
      </div>
      {code.kind === 'code' && axes !== null ? (
        <ChartPreview source={source} query={query} chart={chart} columns={axes} />
      ) : null}
      {code.kind === 'code' ? (
        <CodePreview label={TABLE_WORDS.codePreview} source={code.source} />
      ) : (
        <p role="alert">{code.words}</p>
      )}
    </Dialog>
  );
}
