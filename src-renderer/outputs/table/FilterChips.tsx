import { X } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { labelOf } from './columnLayout.ts';
import type { Filter, TableQuery } from './tableQuery.ts';
import { withFilter } from './tableQuery.ts';

/** The filters in force, each with the way to take it off. */
export function FilterChips(props: { query: TableQuery; onQuery: (query: TableQuery) => void }) {
  const { query, onQuery } = props;
  if (query.filters.length === 0) return null;
  return (
    <div className="filter-chips">
      {query.filters.map((filter) => (
        <span key={filter.col} className="filter-chip">
          {filterWords(filter)}
          <button
            type="button"
            className="filter-off"
            aria-label={`${TABLE_WORDS.filterClear}: ${filterWords(filter)}`}
            onClick={(event) => {
              keepInTable(event);
              onQuery(withFilter(query, filter.col, null));
            }}
          >
            <X aria-hidden="true" />
          </button>
        </span>
      ))}
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

/** The button goes with its filter: who pressed it by key goes on in the grid below. */
function keepInTable({ currentTarget, detail }: React.MouseEvent): void {
  if (detail > 0) return;
  const table = currentTarget.closest('.table-view, .table-full');
  table?.querySelector<HTMLElement>('[role=grid]')?.focus();
}

/** km > 5; started_at between 2025-01-01 and 2025-02-01; station is null. */
function filterWords({ col, op, value, value2 }: Filter): string {
  const values = [value, value2].filter((one) => one !== undefined).map(String);
  return [labelOf(col) || TABLE_WORDS.index, TABLE_WORDS.opSigns[op], values.join(' and ')]
    .filter((part) => part !== '')
    .join(' ');
}
