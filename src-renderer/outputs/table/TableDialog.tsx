/** Dialog that shows all rows of a table result in full size, fetched while scrolling. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { RestError } from '../../live/rest.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { FilterChips } from './FilterChips.tsx';
import type { Rectangle } from './gridSelection.ts';
import { HeaderFilter } from './HeaderFilter.tsx';
import { hasBars } from './headerHeight.ts';
import { SearchBox } from './TableFoot.tsx';
import { TableGrid } from './TableGrid.tsx';
import { columnsOf, previewRows } from './tablePage.ts';
import { TablePages } from './tablePages.ts';
import type { TableQuery } from './tableQuery.ts';
import { emptyWords, isNarrowed } from './tableQuery.ts';
import { useColumns } from './useColumns.ts';
import { useDistributions } from './useDistributions.ts';
import { useCopyRange, useGridActions } from './useGridActions.ts';
import type { Summaries } from './useSummaries.ts';
import type { TableSource } from './useTablePage.ts';
import { fetchPageOf, tableName } from './useTablePage.ts';
import { useTableTools } from './useTableTools.tsx';
import type { OpenValue } from './ValueDialog.tsx';
import { ValueDialog } from './ValueDialog.tsx';

/** All rows of a table in full size, fetched while scrolling. */
export function TableDialog(props: {
  source: TableSource;
  /** The query of the table at the time it was opened. */
  query: TableQuery;
  summaries: Summaries | null;
  onClose: () => void;
}) {
  const { source, summaries, onClose } = props;
  const { output } = source;
  const [query, setQuery] = useState(props.query);
  const [value, setValue] = useState<OpenValue | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows(source, query);
  const bars = hasBars(output);
  const spreads = useDistributions(source, query, bars);
  const sample = useMemo(() => previewRows(output.preview) ?? [], [output.preview]);
  const names = useMemo(() => columnsOf(output), [output]);
  const columns = useColumns(tableName(source), names, sample, summaries);
  const { actions, filtering, closeFilter, studied, closeFacts } = useGridActions({
    ask: true,
    query,
    onQuery: setQuery,
    columns,
  });
  const copy = useCopyRange(columns.shown, rows.between);
  const total = rows.total ?? 0;
  const selection = useRef<Rectangle | null>(null);
  const [goTo, setGoTo] = useState<{ readonly row: number } | null>(null);
  const tools = useTableTools({
    source,
    query,
    onQuery: setQuery,
    columns,
    summaries,
    total,
    studied,
    closeFacts,
    onCopy: (format) =>
      copy(
        selection.current ?? { top: 0, bottom: total - 1, left: 0, right: columns.shown.length - 1 },
        format,
      ),
    onRow: (row) => setGoTo({ row }),
  });
  const size = TABLE_WORDS.rows(countText(total), countText(names.length));
  return (
    <Dialog
      open
      onClose={onClose}
      title={source.cellName === undefined ? TABLE_WORDS.table : TABLE_WORDS.tableOf(source.cellName)}
      size="l"
    >
      <div className="table-full" ref={body}>
        <div className="table-bar">
          <span className="table-range" role="status">
            {rows.total === null
              ? TABLE_WORDS.loading
              : isNarrowed(query) && output.rows !== null
                ? TABLE_WORDS.rangeOf(size, countText(output.rows))
                : size}
          </span>
          <span className="grow" />
          <SearchBox query={query} onQuery={setQuery} />
          <ColumnsMenu columns={columns} />
          <Menu
            label={TABLE_WORDS.tools}
            align="end"
            items={tools.items}
            trigger={<Button>{TABLE_WORDS.tools}</Button>}
          />
          <ExportMenu source={source} query={query} />
        </div>
        <FilterChips query={query} onQuery={setQuery} onEdit={() => tools.open('filter')} />
        <TableGrid
          answer={rows.key}
          columns={columns.shown}
          total={total}
          firstRow={0}
          endRow={total}
          row={rows.row}
          scrolls
          busy={rows.busy}
          query={query}
          summaries={summaries}
          spreads={spreads}
          bars={bars}
          actions={actions}
          onSee={rows.see}
          onCopy={copy}
          goTo={goTo}
          onGoTo={() => tools.open('goTo')}
          onWent={() => setGoTo(null)}
          onSelection={(range) => {
            selection.current = range;
          }}
          onOpenValue={(row, column) =>
            setValue({ column: column.label, row, value: rows.row(row)?.[column.at] })
          }
        />
        {rows.total === 0 ? <div className="table-empty">{emptyWords(query)}</div> : null}
        {rows.problem === null ? null : (
          <div className="table-problem" role="alert">
            {rows.problem}
          </div>
        )}
        <HeaderFilter
          within={body}
          column={columns.shown.find((one) => one.name === filtering) ?? null}
          source={source}
          query={query}
          onQuery={setQuery}
          onClose={closeFilter}
        />
        {tools.dialogs}
        {value === null ? null : <ValueDialog open={value} onClose={() => setValue(null)} />}
      </div>
    </Dialog>
  );
}

/** The rows of a query; their number is known with the first page. */
function useRows(source: TableSource, query: TableQuery) {
  const { sessionId, cellId, output } = source;
  const plainRows = isNarrowed(query) ? null : output.rows;
  const [answer, setAnswer] = useState<{ key: string; total: number | null }>({ key: '', total: plainRows });
  const [problem, setProblem] = useState<string | null>(null);
  const [, drawn] = useState(0);
  const visibleRows = useRef({ first: 0, end: 60 });
  const key = JSON.stringify(query);
  const total = answer.key === key ? answer.total : plainRows;
  const lastTotal = useRef(total);
  lastTotal.current = total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a query is its text
  const pages = useMemo(() => {
    const fetchPage = fetchPageOf({ sessionId, cellId, output }, query);
    return new TablePages(
      output.columns?.length ?? 1,
      async (offset, limit, signal) => {
        const page = await fetchPage(offset, limit, signal);
        setAnswer({ key, total: page.total });
        return page;
      },
      (error) => {
        if (error !== null && !(error instanceof RestError)) throw error;
        setProblem(error?.message ?? null);
        drawn((now) => now + 1);
      },
    );
  }, [sessionId, cellId, output, key]);
  useEffect(() => {
    visibleRows.current = { first: 0, end: 60 };
    pages.see(0, 60, lastTotal.current ?? 60);
    return () => pages.close();
  }, [pages]);
  const see = useCallback(
    (first: number, end: number) => {
      visibleRows.current = { first, end };
      if (end > first) pages.see(first, end, lastTotal.current ?? end);
    },
    [pages],
  );
  const row = useCallback((index: number) => pages.row(index), [pages]);
  const between = useCallback(
    (first: number, end: number) => pages.rows(first, end, new AbortController().signal),
    [pages],
  );
  const { first, end } = visibleRows.current;
  const last = Math.min(end, total ?? end);
  const busy = problem === null && first < last && (row(first) === null || row(last - 1) === null);
  return { key, total, problem, busy, row, see, between };
}
