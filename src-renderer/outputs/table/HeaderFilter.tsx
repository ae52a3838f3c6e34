import type { GridColumn } from './columnLayout.ts';
import { FilterPopover } from './FilterPopover.tsx';
import type { TableQuery } from './tableQuery.ts';
import { filterOf, withFilter } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

/** The filter popover of the column that is being filtered, below its header. */
export function HeaderFilter(props: {
  within: React.RefObject<HTMLElement | null>;
  column: GridColumn | null;
  source: TableSource;
  query: TableQuery;
  onQuery: (query: TableQuery) => void;
  onClose: () => void;
}) {
  const { within, column, source, query, onQuery, onClose } = props;
  if (column === null) return null;
  const headers = within.current?.querySelectorAll('[role=columnheader]') ?? [];
  const anchor = [...headers].find((header) => header.getAttribute('data-name') === column.name);
  if (anchor === undefined) return null;
  return (
    <FilterPopover
      key={column.name}
      column={column}
      anchor={anchor}
      source={source}
      query={query}
      filter={filterOf(query, column.name)}
      onFilter={(filter) => onQuery(withFilter(query, column.name, filter))}
      onClose={onClose}
    />
  );
}
