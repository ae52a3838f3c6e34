import { ArrowDown, ArrowUp, ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { IconButton } from '../ui/Button.tsx';
import { countText, WORDS } from '../ui/strings.ts';
import { columnFormat } from './cellText.ts';
import { isNumeric } from './jsonText.ts';
import type { TablePage, TableQuery } from './tablePage.ts';
import { firstQuery, nextSort, pageOfAnswer, pageOfPreview } from './tablePage.ts';

const SEARCH_MS = 300;
const PAGE_SIZES = [10, 25, 100];

/** A table result: the preview's rows at once, every other page, order and search from the server. */
export function TableView(props: { sessionId: string; cellId: string; output: Output }) {
  const { output } = props;
  const [query, setQuery] = useState(firstQuery);
  const { page, problem, busy } = useTablePage(props, query);
  if (page === null) return problem === null ? null : <div className="error-quiet">{problem}</div>;
  const pageable = output.artifact_uri !== null;
  return (
    <div className="table-view" data-busy={busy}>
      <div className="table-scroll">
        <table>
          <thead>
            <tr>
              {page.columns.map((column, index) => (
                <HeaderCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may share a name
                  key={index}
                  column={column}
                  numeric={isNumeric(page.rows, index)}
                  query={query}
                  onSort={pageable ? () => setQuery(nextSort(query, column)) : null}
                />
              ))}
            </tr>
          </thead>
          <TableRows page={page} />
        </table>
        {page.rows.length === 0 ? (
          <div className="table-empty">{query.search === '' ? WORDS.noRows : WORDS.noMatch}</div>
        ) : null}
      </div>
      <TableFoot page={page} query={query} pageable={pageable} onQuery={setQuery} allRows={output.rows} />
      {problem === null ? null : <div className="error-quiet">{problem}</div>}
    </div>
  );
}

function useTablePage(props: { sessionId: string; cellId: string; output: Output }, query: TableQuery) {
  const { sessionId, cellId, output } = props;
  const fromPreview = pageOfPreview(output, query);
  const [fetched, setFetched] = useState<{ page: TablePage; uri: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const uri = output.artifact_uri;
  const need = fromPreview === null && uri !== null;
  useEffect(() => {
    if (!need || uri === null) {
      setBusy(false);
      setProblem(null);
      return;
    }
    const stop = new AbortController();
    setBusy(true);
    const order = query.sort === null ? {} : { sort_by: query.sort.column, sort_dir: query.sort.dir };
    const search = query.search === '' ? {} : { search: query.search };
    callRoute(
      'cellData',
      {
        params: { sid: sessionId, cell_id: cellId },
        query: { artifact_uri: uri, offset: query.offset, limit: query.limit, ...order, ...search },
      },
      { signal: stop.signal },
    )
      .then((answer) => {
        const page = pageOfAnswer(answer);
        setProblem(page === null ? WORDS.tableUnavailable : null);
        if (page !== null) setFetched({ page, uri });
        setBusy(false);
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setBusy(false);
        if (!(error instanceof RestError)) throw error;
        setProblem(error.message);
      });
    return () => stop.abort();
  }, [need, uri, sessionId, cellId, query]);
  // While the next page is on its way the one before stays: nothing jumps.
  const older = fetched !== null && fetched.uri === uri ? fetched.page : pageOfPreview(output, firstQuery);
  return { page: fromPreview ?? older ?? wholePreview(output), problem, busy };
}

/** The rows there are, for a table too short or too odd to be paged. */
function wholePreview(output: Output): TablePage | null {
  const rows = output.rows ?? 0;
  return pageOfPreview({ ...output, rows: Math.min(rows, 20) }, { ...firstQuery, limit: 20 });
}

function HeaderCell(props: {
  column: string;
  numeric: boolean;
  query: TableQuery;
  onSort: (() => void) | null;
}) {
  const { column, numeric, query, onSort } = props;
  const dir = query.sort?.column === column ? query.sort.dir : null;
  const order = dir === null ? 'none' : dir === 'asc' ? 'ascending' : 'descending';
  return (
    <th className={numeric ? 'num' : ''} aria-sort={order} scope="col">
      {onSort === null ? (
        column
      ) : (
        <button type="button" className="table-sort" title={WORDS.sortBy(column)} onClick={onSort}>
          <span>{column}</span>
          {dir === 'asc' ? <ArrowUp aria-hidden="true" /> : null}
          {dir === 'desc' ? <ArrowDown aria-hidden="true" /> : null}
        </button>
      )}
    </th>
  );
}

function TableRows({ page }: { page: TablePage }) {
  const formats = page.columns.map((_column, index) => columnFormat(page.rows, index));
  return (
    <tbody>
      {page.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the result
        <tr key={page.offset + index}>
          {formats.map(({ numeric, format }, at) => {
            const value = row[at];
            const empty = value === null || value === undefined;
            const { text, exact } = format(value);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may share a name
              <td key={at} className={numeric ? 'num' : ''} title={exact?.slice(0, 2_000)}>
                {empty ? <span className="table-null">null</span> : text}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

function TableFoot(props: {
  page: TablePage;
  query: TableQuery;
  pageable: boolean;
  allRows: number | null;
  onQuery: (query: TableQuery) => void;
}) {
  const { page, query, pageable, onQuery } = props;
  const from = page.rows.length === 0 ? 0 : page.offset + 1;
  const to = page.offset + page.rows.length;
  const last = Math.max(0, Math.floor((page.total - 1) / query.limit) * query.limit);
  const go = (offset: number): void => onQuery({ ...query, offset: Math.max(0, offset) });
  const single = page.total <= query.limit && query.limit === firstQuery.limit;
  return (
    <div className="table-foot">
      <span className="table-range">
        {single && query.search === ''
          ? WORDS.rowsShape(countText(page.total), page.columns.length)
          : WORDS.rowsOf(countText(from), countText(to), countText(page.total))}
      </span>
      {pageable && !single ? (
        <>
          <span className="table-pager">
            <IconButton label={WORDS.firstPage} disabled={page.offset === 0} onClick={() => go(0)}>
              <ChevronFirst />
            </IconButton>
            <IconButton
              label={WORDS.previousPage}
              disabled={page.offset === 0}
              onClick={() => go(page.offset - query.limit)}
            >
              <ChevronLeft />
            </IconButton>
            <IconButton
              label={WORDS.nextPage}
              disabled={to >= page.total}
              onClick={() => go(page.offset + query.limit)}
            >
              <ChevronRight />
            </IconButton>
            <IconButton label={WORDS.lastPage} disabled={to >= page.total} onClick={() => go(last)}>
              <ChevronLast />
            </IconButton>
          </span>
          <select
            className="field table-size"
            aria-label={WORDS.pageSize}
            value={query.limit}
            onChange={(event) => onQuery({ ...query, offset: 0, limit: Number(event.target.value) })}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {WORDS.perPage(size)}
              </option>
            ))}
          </select>
        </>
      ) : null}
      <span className="grow" />
      {pageable && (!single || query.search !== '') ? <SearchBox query={query} onQuery={onQuery} /> : null}
    </div>
  );
}

function SearchBox(props: { query: TableQuery; onQuery: (query: TableQuery) => void }) {
  const { query, onQuery } = props;
  const [text, setText] = useState(query.search);
  useEffect(() => {
    if (text === query.search) return;
    const timer = setTimeout(() => onQuery({ ...query, offset: 0, search: text }), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [text, query, onQuery]);
  return (
    <input
      className="field table-search"
      type="search"
      value={text}
      placeholder={WORDS.search}
      aria-label={WORDS.search}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
