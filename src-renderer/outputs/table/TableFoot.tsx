/** The footer of a table result: the range of the shown rows, paging and search. */

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import type { MenuItem } from '../../ui/Menu.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { countText, WORDS } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import type { RowWindow, TablePage } from './tablePage.ts';
import { firstRows } from './tablePage.ts';
import type { TableQuery } from './tableQuery.ts';
import { isNarrowed } from './tableQuery.ts';
import type { Columns } from './useColumns.ts';
import type { TableSource } from './useTablePage.ts';

const SEARCH_MS = 300;
const PAGE_SIZES = [10, 25, 100];

/** The range of the shown rows, and controls that go to others. */
export function TableFoot(props: {
  source: TableSource;
  page: TablePage;
  place: RowWindow;
  query: TableQuery;
  columns: Columns;
  tools: readonly MenuItem[];
  allRows: number | null;
  onPlace: (place: RowWindow) => void;
  onQuery: (query: TableQuery) => void;
  onOpen: () => void;
}) {
  const { source, page, place, query, columns, tools, allRows, onPlace, onQuery, onOpen } = props;
  const pageable = source.output.artifact_uri !== null;
  const single = page.total <= place.limit && place.limit === firstRows.limit;
  return (
    <div className="table-foot">
      <span className="table-range">{rangeWords(page, { query, single, allRows })}</span>
      {pageable && !single ? <Pager page={page} place={place} onPlace={onPlace} /> : null}
      <span className="grow" />
      {pageable && (!single || isNarrowed(query)) ? <SearchBox query={query} onQuery={onQuery} /> : null}
      <ColumnsMenu columns={columns} />
      {pageable ? (
        <Menu
          label={TABLE_WORDS.tools}
          align="end"
          items={tools}
          trigger={<Button>{TABLE_WORDS.tools}</Button>}
        />
      ) : null}
      {pageable ? <ExportMenu source={source} query={query} /> : null}
      {pageable ? (
        <Button title={TABLE_WORDS.openHint} onClick={onOpen}>
          {TABLE_WORDS.open}
        </Button>
      ) : null}
    </div>
  );
}

function rangeWords(
  page: TablePage,
  facts: { query: TableQuery; single: boolean; allRows: number | null },
): string {
  const { query, single, allRows } = facts;
  if (single && !isNarrowed(query)) {
    return TABLE_WORDS.rows(countText(page.total), countText(page.columns.length));
  }
  const from = page.rows.length === 0 ? 0 : page.offset + 1;
  const range = TABLE_WORDS.range(
    countText(from),
    countText(page.offset + page.rows.length),
    countText(page.total),
  );
  return isNarrowed(query) && allRows !== null ? TABLE_WORDS.rangeOf(range, countText(allRows)) : range;
}

function Pager(props: { page: TablePage; place: RowWindow; onPlace: (place: RowWindow) => void }) {
  const { page, place, onPlace } = props;
  const to = page.offset + page.rows.length;
  const last = Math.max(0, Math.floor((page.total - 1) / place.limit) * place.limit);
  const go = (offset: number): void => onPlace({ ...place, offset: Math.max(0, offset) });
  return (
    <>
      <span className="table-pager">
        <PageButton label={WORDS.firstPage} off={page.offset === 0} onTurn={() => go(0)}>
          <ChevronFirst />
        </PageButton>
        <PageButton
          label={WORDS.previousPage}
          off={page.offset === 0}
          onTurn={() => go(page.offset - place.limit)}
        >
          <ChevronLeft />
        </PageButton>
        <PageButton
          label={WORDS.nextPage}
          off={to >= page.total}
          onTurn={() => go(page.offset + place.limit)}
        >
          <ChevronRight />
        </PageButton>
        <PageButton label={WORDS.lastPage} off={to >= page.total} onTurn={() => go(last)}>
          <ChevronLast />
        </PageButton>
      </span>
      <span className="table-size-box">
        <select
          className="field table-size"
          aria-label={TABLE_WORDS.pageSize}
          value={place.limit}
          onChange={(event) => onPlace({ offset: 0, limit: Number(event.target.value) })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {TABLE_WORDS.perPage(size)}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}

/** A page button that keeps the focus on the last page, so that a keyboard user can go back from there. */
function PageButton(props: { label: string; off: boolean; onTurn: () => void; children: ReactNode }) {
  const { label, off, onTurn, children } = props;
  return (
    <IconButton label={label} aria-disabled={off} onClick={() => (off ? undefined : onTurn())}>
      {children}
    </IconButton>
  );
}

/** A search field that searches when typing pauses. */
export function SearchBox(props: { query: TableQuery; onQuery: (query: TableQuery) => void }) {
  const { query, onQuery } = props;
  const [text, setText] = useState(query.search);
  useEffect(() => {
    if (text === query.search) return;
    const timer = setTimeout(() => onQuery({ ...query, search: text }), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [text, query, onQuery]);
  return (
    <input
      className="field table-search"
      type="search"
      value={text}
      placeholder={TABLE_WORDS.search}
      aria-label={TABLE_WORDS.search}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
