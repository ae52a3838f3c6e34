import { X } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { conditionWords } from './conditionWords.ts';
import type { TableQuery } from './tableQuery.ts';

/**
 * Shows the active filters of a table result as chips, each with a button that removes it; a press on one opens the
 * filter builder.
 */
export function FilterChips(props: {
  query: TableQuery;
  onQuery: (query: TableQuery) => void;
  onEdit: () => void;
}) {
  const { query, onQuery, onEdit } = props;
  if (query.filters.length === 0) return null;
  return (
    <div className="filter-chips">
      {query.filters.map((condition, at) => {
        const words = conditionWords(condition);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be the same
          <span key={`${at} ${words}`} className="filter-chip">
            <button type="button" className="filter-edit" title={TABLE_WORDS.filterEdit} onClick={onEdit}>
              {words}
            </button>
            <button
              type="button"
              className="filter-off"
              aria-label={`${TABLE_WORDS.filterClear}: ${words}`}
              onClick={(event) => {
                keepInTable(event);
                onQuery({ ...query, filters: query.filters.filter((one) => one !== condition) });
              }}
            >
              <X aria-hidden="true" />
            </button>
          </span>
        );
      })}
      {query.filters.length < 2 ? null : (
        <Button
          onClick={(event) => {
            keepInTable(event);
            onQuery({ ...query, filters: [] });
          }}
        >
          {TABLE_WORDS.filtersClear}
        </Button>
      )}
    </div>
  );
}

/** The button disappears with its filter: if it was pressed by keyboard, the focus moves to the grid. */
function keepInTable({ currentTarget, detail }: React.MouseEvent): void {
  if (detail > 0) return;
  const table = currentTarget.closest('.table-view, .table-full');
  table?.querySelector<HTMLElement>('[role=grid]')?.focus();
}
