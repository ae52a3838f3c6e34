/** Popover below a column's header in which the filter of that column is edited. */

import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { isFocusLost } from '../../ui/lostFocus.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { ConditionFields } from './ConditionFields.tsx';
import type { GridColumn } from './columnLayout.ts';
import type { DraftResult } from './conditionDraft.ts';
import { draftOf, filterOfDraft } from './conditionDraft.ts';
import type { Filter, TableQuery } from './tableQuery.ts';
import { withFilter } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

/** The filter of one column, below the column's header, with the operators of the column's kind. */
export function FilterPopover(props: {
  column: GridColumn;
  /** The column's header. */
  anchor: Element;
  source: TableSource;
  query: TableQuery;
  filter: Filter | null;
  onFilter: (filter: Filter | null) => void;
  onClose: () => void;
}) {
  const { column, anchor, source, query, filter, onFilter, onClose } = props;
  return (
    <Popover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          className="filter-box"
          aria-label={TABLE_WORDS.filterOf(column.label || TABLE_WORDS.index)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={(event) => event.stopPropagation()}
          // The menu that opened it returns its focus when it closes.
          onFocusOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={() => {
            if (isFocusLost(anchor)) anchor.querySelector<HTMLElement>('.head-menu')?.focus();
          }}
        >
          <FilterForm
            column={column}
            source={source}
            query={query}
            filter={filter}
            onFilter={(next) => {
              onFilter(next);
              onClose();
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FilterForm(props: {
  column: GridColumn;
  source: TableSource;
  query: TableQuery;
  filter: Filter | null;
  onFilter: (filter: Filter | null) => void;
}) {
  const { column, source, query, filter, onFilter } = props;
  const { kind } = column;
  const [draft, setDraft] = useState(() => draftOf(column.name, kind, filter));
  const [problem, setProblem] = useState<Extract<DraftResult, { kind: 'problem' }> | null>(null);
  // The list offers the values of the rows that meet the other conditions.
  const others = withFilter(query, column.name, null);
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        const result = filterOfDraft(draft, kind);
        if (result.kind === 'problem') setProblem(result);
        else onFilter(result.filter);
      }}
    >
      <strong className="filter-title">{column.label || TABLE_WORDS.index}</strong>
      <ConditionFields
        draft={draft}
        kind={kind}
        source={source}
        query={others}
        problem={problem}
        autoFocus
        onDraft={(next) => {
          setProblem(null);
          setDraft(next);
        }}
      />
      <div className="filter-foot">
        {filter === null ? null : <Button onClick={() => onFilter(null)}>{TABLE_WORDS.filterClear}</Button>}
        <span className="grow" />
        <button type="submit" className="btn btn-primary">
          {TABLE_WORDS.filterApply}
        </button>
      </div>
    </form>
  );
}
