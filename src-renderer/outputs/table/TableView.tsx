/** A table result in the notebook: one page of rows with sort, filter, search and other tools. */

import { useCallback, useMemo, useRef, useState } from 'react';
import { useNearViewport } from '../../ui/useNearViewport.ts';
import { FilterChips } from './FilterChips.tsx';
import type { Rectangle } from './gridSelection.ts';
import { HeaderFilter } from './HeaderFilter.tsx';
import { hasBars } from './headerHeight.ts';
import { TableDialog } from './TableDialog.tsx';
import { TableFoot } from './TableFoot.tsx';
import { TableGrid } from './TableGrid.tsx';
import type { RowWindow } from './tablePage.ts';
import { columnsOf, firstRows, previewRows } from './tablePage.ts';
import type { TableQuery } from './tableQuery.ts';
import { emptyWords, plainQuery } from './tableQuery.ts';
import { useColumns } from './useColumns.ts';
import { useDistributions } from './useDistributions.ts';
import { useCopyRange, useGridActions } from './useGridActions.ts';
import { useSummaries } from './useSummaries.ts';
import type { TableSource } from './useTablePage.ts';
import { tableName, useTablePage } from './useTablePage.ts';
import { useTableTools } from './useTableTools.tsx';
import type { OpenValue } from './ValueDialog.tsx';
import { ValueDialog } from './ValueDialog.tsx';

/**
 * A table result in the notebook: one page of rows. The preview's rows are shown immediately, all others are requested
 * from the server, which also sorts, searches and filters. "Open" shows all rows in full size.
 */
export function TableView(props: TableSource) {
  const { output } = props;
  const [near, seen] = useNearViewport<HTMLDivElement>();
  const [query, setQuery] = useState<TableQuery>(plainQuery);
  const [place, setPlace] = useState<RowWindow>(firstRows);
  const [open, setOpen] = useState(false);
  const [value, setValue] = useState<OpenValue | null>(null);
  const ask = output.artifact_uri !== null;
  const { page, problem, busy } = useTablePage(props, query, place);
  const summaries = useSummaries(props, seen && ask);
  const bars = hasBars(output);
  const spreads = useDistributions(props, query, seen && bars);
  const sample = useMemo(() => previewRows(output.preview) ?? [], [output.preview]);
  const names = useMemo(() => columnsOf(output), [output]);
  const columns = useColumns(tableName(props), names, sample, summaries);
  const changeQuery = (next: TableQuery): void => {
    setQuery(next);
    setPlace((now) => (now.offset === 0 ? now : { ...now, offset: 0 }));
  };
  const { actions, filtering, closeFilter, studied, closeFacts } = useGridActions({
    ask,
    query,
    onQuery: changeQuery,
    columns,
  });
  const rowsBetween = useCallback(
    async (first: number, end: number) => {
      const offset = page?.offset ?? 0;
      return page?.rows.slice(first - offset, end - offset) ?? [];
    },
    [page],
  );
  const copy = useCopyRange(columns.shown, rowsBetween);
  const selection = useRef<Rectangle | null>(null);
  const [goTo, setGoTo] = useState<{ readonly row: number } | null>(null);
  const tools = useTableTools({
    source: props,
    query,
    onQuery: changeQuery,
    columns,
    summaries,
    total: page?.total ?? 0,
    studied,
    closeFacts,
    onCopy: (format) => {
      const first = page?.offset ?? 0;
      const all = {
        top: first,
        bottom: first + (page?.rows.length ?? 0) - 1,
        left: 0,
        right: columns.shown.length - 1,
      };
      copy(selection.current ?? all, format);
    },
    onRow: (row) => {
      setPlace((now) => ({ ...now, offset: row - (row % now.limit) }));
      setGoTo({ row });
    },
  });
  if (page === null) return problem === null ? null : <div className="error-quiet">{problem}</div>;
  return (
    <div className="table-view" data-busy={busy} ref={near}>
      <FilterChips query={query} onQuery={changeQuery} onEdit={() => tools.open('filter')} />
      <TableGrid
        columns={columns.shown}
        total={page.total}
        firstRow={page.offset}
        endRow={page.offset + page.rows.length}
        row={(index) => page.rows[index - page.offset] ?? null}
        scrolls={false}
        busy={busy}
        query={query}
        summaries={summaries}
        spreads={spreads}
        bars={bars}
        actions={actions}
        onCopy={copy}
        goTo={
          goTo !== null && goTo.row >= page.offset && goTo.row < page.offset + page.rows.length ? goTo : null
        }
        onWent={() => setGoTo(null)}
        onSelection={(range) => {
          selection.current = range;
        }}
        {...(ask ? { onGoTo: () => tools.open('goTo') } : {})}
        onOpenValue={(row, column) =>
          setValue({ column: column.label, row, value: page.rows[row - page.offset]?.[column.at] })
        }
      />
      {page.rows.length > 0 ? null : <div className="table-empty">{emptyWords(query)}</div>}
      {problem === null ? null : (
        <div className="table-problem" role="alert">
          {problem}
        </div>
      )}
      <TableFoot
        source={props}
        page={page}
        place={place}
        query={query}
        columns={columns}
        tools={tools.items}
        allRows={output.rows}
        onPlace={setPlace}
        onQuery={changeQuery}
        onOpen={() => setOpen(true)}
      />
      <HeaderFilter
        within={near}
        column={columns.shown.find((one) => one.name === filtering) ?? null}
        source={props}
        query={query}
        onQuery={changeQuery}
        onClose={closeFilter}
      />
      {ask ? tools.dialogs : null}
      {value === null ? null : <ValueDialog open={value} onClose={() => setValue(null)} />}
      {open ? (
        <TableDialog
          source={props}
          query={query}
          summaries={summaries}
          onClose={() => {
            setOpen(false);
            columns.reload();
          }}
        />
      ) : null}
    </div>
  );
}
