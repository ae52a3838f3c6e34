/** Dialog that groups the rows of a table result and computes measures of each group. */

import './facts.css';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { tryWriteCode } from './code/codeOf.ts';
import type { CodeTable } from './code/codeTable.ts';
import { groupCode, type Measure } from './code/groupCode.ts';
import type { GridColumn } from './columnLayout.ts';
import { GroupTable } from './GroupTable.tsx';
import type { TableQuery } from './tableQuery.ts';
import type { GroupSort } from './useGroups.ts';
import { useGroups } from './useGroups.ts';
import type { TableSource } from './useTablePage.ts';

const NUMBER_AGGREGATES = ['count', 'sum', 'mean', 'median', 'std', 'min', 'max', 'distinct'] as const;
const OTHER_AGGREGATES = ['count', 'min', 'max', 'distinct'] as const;
const ANY_AGGREGATES = ['count', 'distinct'] as const;
const NONE = '\u0000none';

/** Groups the rows of the current view by columns, and computes measures of each group. */
export function GroupDialog(props: {
  source: TableSource;
  columns: readonly GridColumn[];
  query: TableQuery;
  /** The table for inserted code; null if code cannot be inserted. */
  table: CodeTable | null;
  onInsert: (source: string) => void;
  onClose: () => void;
}) {
  const { source, columns, query, table, onInsert, onClose } = props;
  const first = columns.find(({ kind }) => kind === 'text' || kind === 'bool') ?? columns[0];
  const [by, setBy] = useState<readonly string[]>(first === undefined ? [] : [first.name]);
  const [measures, setMeasures] = useState<readonly Measure[]>([{ col: null, agg: 'rows' }]);
  const [sort, setSort] = useState<GroupSort>(null);
  const { answer, problem } = useGroups(source, query, { by, measures, sort });
  const optionOf = ({ name, label }: GridColumn) => ({ value: name, label: label || TABLE_WORDS.index });
  const kindOf = (name: string | null) => columns.find((one) => one.name === name)?.kind ?? 'other';
  const code =
    table === null ? null : tryWriteCode('python', () => groupCode(table, query, { by, measures }));
  const replaceMeasure = (at: number, measure: Measure | null): void => {
    setSort(null);
    setMeasures(measures.flatMap((one, index) => (index !== at ? [one] : measure === null ? [] : [measure])));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={TABLE_WORDS.group}
      size="l"
      footer={
        <>
          <Button onClick={onClose}>{TABLE_WORDS.close}</Button>
          <Button
            kind="primary"
            disabled={code === null || code.kind === 'none'}
            title={code?.kind === 'none' ? code.words : undefined}
            onClick={() => {
              if (code?.kind === 'code') onInsert(code.source);
              onClose();
            }}
          >
            {TABLE_WORDS.insertCode}
          </Button>
        </>
      }
    >
      <div className="group-form">
        <div className="group-keys">
          {by.map((name, at) => (
            <Select
              key={name}
              label={at === 0 ? TABLE_WORDS.groupBy : TABLE_WORDS.thenBy}
              value={name}
              options={[
                ...columns.filter((one) => one.name === name || !by.includes(one.name)).map(optionOf),
                ...(by.length > 1 ? [{ value: NONE, label: TABLE_WORDS.noKey }] : []),
              ]}
              onChange={(next) => {
                setSort(null);
                setBy(by.flatMap((one, index) => (index !== at ? [one] : next === NONE ? [] : [next])));
              }}
            />
          ))}
          {by.length < Math.min(4, columns.length) ? (
            <Button
              icon={<Plus aria-hidden="true" />}
              onClick={() => {
                const next = columns.find(({ name }) => !by.includes(name));
                setSort(null);
                if (next !== undefined) setBy([...by, next.name]);
              }}
            >
              {TABLE_WORDS.addKey}
            </Button>
          ) : null}
        </div>
        {measures.map((measure, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two measures may be the same
          <div key={at} className="group-keys">
            <Select
              label={TABLE_WORDS.measure}
              value={measure.col ?? NONE}
              options={[{ value: NONE, label: TABLE_WORDS.rowCount }, ...columns.map(optionOf)]}
              onChange={(col) =>
                replaceMeasure(
                  at,
                  col === NONE
                    ? { col: null, agg: 'rows' }
                    : { col, agg: kindOf(col) === 'number' ? 'mean' : 'distinct' },
                )
              }
            />
            {measure.col === null ? null : (
              <Select
                label={TABLE_WORDS.aggregate}
                value={measure.agg === 'rows' ? 'count' : measure.agg}
                options={aggregatesOf(kindOf(measure.col)).map((agg) => ({
                  value: agg,
                  label: TABLE_WORDS.aggregates[agg],
                }))}
                onChange={(agg) => replaceMeasure(at, { col: measure.col, agg })}
              />
            )}
            {measures.length === 1 ? null : (
              <IconButton label={TABLE_WORDS.removeMeasure} onClick={() => replaceMeasure(at, null)}>
                <X aria-hidden="true" />
              </IconButton>
            )}
            {at === measures.length - 1 ? (
              <Button
                icon={<Plus aria-hidden="true" />}
                onClick={() => {
                  const number = columns.find(({ kind }) => kind === 'number');
                  setMeasures([
                    ...measures,
                    number === undefined ? { col: null, agg: 'rows' } : { col: number.name, agg: 'mean' },
                  ]);
                }}
              >
                {TABLE_WORDS.addMeasure}
              </Button>
            ) : null}
          </div>
        ))}
      </div>
      {problem === null ? null : <p role="alert">{problem}</p>}
      {answer === null ? null : <GroupTable answer={answer} sort={sort} onSort={setSort} />}
    </Dialog>
  );
}

function aggregatesOf(kind: GridColumn['kind']): readonly Exclude<Measure['agg'], 'rows'>[] {
  if (kind === 'number') return NUMBER_AGGREGATES;
  return kind === 'other' ? ANY_AGGREGATES : OTHER_AGGREGATES;
}
