/** Hooks for the actions of a table's column headers, and for copying cells. */

import { useCallback, useState } from 'react';
import { RestError } from '../../live/rest.ts';
import { toast } from '../../ui/Toast.tsx';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { copyText } from '../copyText.ts';
import type { GridColumn } from './columnLayout.ts';
import { type CopyFormat, copiedText } from './copyAs.ts';
import type { ColumnActions } from './GridHeader.tsx';
import type { Rectangle } from './gridSelection.ts';
import type { Row } from './tablePage.ts';
import type { TableQuery } from './tableQuery.ts';
import { nextSort, withSort } from './tableQuery.ts';
import type { Columns } from './useColumns.ts';

/** The most cells that can be copied; larger parts must be exported. */
const MAX_CELLS = 500_000;

/** The actions of a table's headers; `ask` is false if the server cannot answer queries on the table. */
export function useGridActions(options: {
  readonly ask: boolean;
  readonly query: TableQuery;
  readonly onQuery: (query: TableQuery) => void;
  readonly columns: Columns;
}) {
  const { ask, query, onQuery, columns } = options;
  const [filtering, setFiltering] = useState<string | null>(null);
  const [studied, setStudied] = useState<string | null>(null);
  const actions: ColumnActions = {
    onSort: ask ? (column, dir, also) => onQuery(withSort(query, column, { dir, also })) : null,
    onNextSort: ask ? (column, also) => onQuery(nextSort(query, column, also)) : null,
    onFilter: ask ? setFiltering : null,
    onFacts: ask ? setStudied : null,
    onDrop: columns.drop,
    onMove: columns.move,
    onPin: columns.togglePinned,
    onHide: columns.hide,
    onWidth: columns.setWidth,
  };
  return {
    actions,
    filtering,
    closeFilter: () => setFiltering(null),
    /** The column whose statistics are shown. */
    studied,
    closeFacts: () => setStudied(null),
  };
}

/** Copies cells, by default as tab-separated text. */
export function useCopyRange(
  columns: readonly GridColumn[],
  rowsBetween: (first: number, end: number) => Promise<readonly Row[]>,
): (range: Rectangle, format?: CopyFormat) => void {
  return useCallback(
    (range, format = 'tsv') => {
      const copiedColumns = columns.slice(range.left, range.right + 1);
      const count = range.bottom - range.top + 1;
      if (count * copiedColumns.length > MAX_CELLS) {
        toast(TABLE_WORDS.copyTooMuch, { tone: 'warn' });
        return;
      }
      const copy = async (): Promise<void> => {
        const rows = await rowsBetween(range.top, range.bottom + 1);
        const text = copiedText(format, {
          names: copiedColumns.map(({ label, name }) => label || name),
          rows: rows.map((row) => copiedColumns.map(({ at }) => row[at])),
        });
        const words = (await copyText(text))
          ? TABLE_WORDS.copied(countText(rows.length), countText(copiedColumns.length))
          : TABLE_WORDS.copyRefused;
        toast(words);
      };
      copy().catch((error: unknown) => {
        if (!(error instanceof RestError)) throw error;
        toast(error.message, { tone: 'error' });
      });
    },
    [columns, rowsBetween],
  );
}
