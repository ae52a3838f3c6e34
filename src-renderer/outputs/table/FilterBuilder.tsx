/** Dialog that edits all filter conditions of a table result: groups of alternatives, all of which must hold. */

import './filterBuilder.css';
import { Plus, X } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { ConditionFields } from './ConditionFields.tsx';
import type { GridColumn } from './columnLayout.ts';
import type { ConditionDraft, DraftResult } from './conditionDraft.ts';
import { draftOf, filterOfDraft } from './conditionDraft.ts';
import type { Condition, TableQuery } from './tableQuery.ts';
import { alternativesOf } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

/** One row of the form, with an id as its key. */
interface Row {
  readonly id: number;
  readonly draft: ConditionDraft;
  readonly problem: Extract<DraftResult, { kind: 'problem' }> | null;
}
type Groups = readonly (readonly Row[])[];

let lineCount = 0;
const rowOf = (draft: ConditionDraft): Row => ({ id: ++lineCount, draft, problem: null });

/** Edits all conditions of a table: every group must hold; a group holds if one of its alternatives does. */
export function FilterBuilder(props: {
  source: TableSource;
  /** All columns of the table, including hidden ones. */
  columns: readonly GridColumn[];
  query: TableQuery;
  onQuery: (query: TableQuery) => void;
  onClose: () => void;
}) {
  const { source, columns, query, onQuery, onClose } = props;
  const kindOf = (name: string) => columns.find((one) => one.name === name)?.kind ?? 'other';
  const fresh = (): Row => rowOf(draftOf(columns[0]?.name ?? '', columns[0]?.kind ?? 'other', null));
  const [groups, setGroups] = useState<Groups>(() => {
    const lines = query.filters.map((one) =>
      alternativesOf(one).map((filter) => rowOf(draftOf(filter.col, kindOf(filter.col), filter))),
    );
    return lines.length === 0 ? [[fresh()]] : lines;
  });
  const change = (id: number, draft: ConditionDraft | null): void =>
    setGroups((now) =>
      now
        .map((rows) =>
          rows.flatMap((row) =>
            row.id !== id ? [row] : draft === null ? [] : [{ id, draft, problem: null }],
          ),
        )
        .filter((rows) => rows.length > 0),
    );
  const apply = (): void => {
    const read = groups.map((rows) =>
      rows.map((row) => ({ row, result: filterOfDraft(row.draft, kindOf(row.draft.col)) })),
    );
    if (read.flat().some(({ result }) => result.kind === 'problem')) {
      setGroups(
        read.map((rows) =>
          rows.map(({ row, result }) => ({ ...row, problem: result.kind === 'problem' ? result : null })),
        ),
      );
      return;
    }
    const filters = read.map((rows): Condition => {
      const all = rows.flatMap(({ result }) => (result.kind === 'filter' ? [result.filter] : []));
      const [only, ...more] = all;
      return only !== undefined && more.length === 0 ? only : { any: all };
    });
    onQuery({ ...query, filters });
    onClose();
  };
  const options = columns.map(({ name, label }) => ({ value: name, label: label || TABLE_WORDS.index }));
  const values = { ...query, filters: [] };
  return (
    <Dialog
      open
      onClose={onClose}
      title={TABLE_WORDS.builder}
      description={TABLE_WORDS.builderHint}
      footer={
        <>
          <Button onClick={() => setGroups([])} disabled={groups.length === 0}>
            {TABLE_WORDS.filtersClear}
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>{TABLE_WORDS.cancel}</Button>
          <Button kind="primary" onClick={apply}>
            {TABLE_WORDS.filterApply}
          </Button>
        </>
      }
    >
      <ul className="builder" aria-label={TABLE_WORDS.builder}>
        {groups.map((rows, place) => (
          <li key={rows[0]?.id} className="builder-group">
            {place === 0 ? null : <span className="builder-joint">{TABLE_WORDS.and}</span>}
            {rows.map((row, at) => (
              <Fragment key={row.id}>
                {at === 0 ? null : <span className="builder-joint">{TABLE_WORDS.or}</span>}
                <div className="builder-row">
                  <Select
                    label={TABLE_WORDS.column}
                    hideLabel
                    value={row.draft.col}
                    options={options}
                    onChange={(col) => change(row.id, draftOf(col, kindOf(col), null))}
                  />
                  <ConditionFields
                    draft={row.draft}
                    kind={kindOf(row.draft.col)}
                    source={source}
                    query={values}
                    problem={row.problem}
                    onDraft={(draft) => change(row.id, draft)}
                  />
                  <IconButton label={TABLE_WORDS.filterClear} onClick={() => change(row.id, null)}>
                    <X aria-hidden="true" />
                  </IconButton>
                </div>
              </Fragment>
            ))}
            <Button
              icon={<Plus aria-hidden="true" />}
              onClick={() =>
                setGroups(groups.map((other, index) => (index === place ? [...other, copyOf(other)] : other)))
              }
            >
              {TABLE_WORDS.addOr}
            </Button>
          </li>
        ))}
      </ul>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setGroups([...groups, [fresh()]])}>
        {groups.length === 0 ? TABLE_WORDS.addFirst : TABLE_WORDS.addAnd}
      </Button>
    </Dialog>
  );
  /** A new alternative, on the same column as the last one, since alternatives mostly are. */
  function copyOf(rows: readonly Row[]): Row {
    const col = rows.at(-1)?.draft.col ?? '';
    return rowOf(draftOf(col, kindOf(col), null));
  }
}
