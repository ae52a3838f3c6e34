/** Hook for the tools of a table outside its grid: menu items, and the dialogs that they open. */

import { type ReactNode, useState } from 'react';
import type { MenuItem } from '../../ui/Menu.tsx';
import { toast } from '../../ui/Toast.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { ChartDialog } from './ChartDialog.tsx';
import { codeOf, NO_VARIABLE } from './code/codeOf.ts';
import type { CodeStyle, CodeTable } from './code/codeTable.ts';
import type { CopyFormat } from './copyAs.ts';
import { FactsDialog } from './FactsDialog.tsx';
import { FilterBuilder } from './FilterBuilder.tsx';
import { GoToRow } from './GoToRow.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import type { TableQuery } from './tableQuery.ts';
import type { Columns } from './useColumns.ts';
import type { Summaries } from './useSummaries.ts';
import type { TableSource } from './useTablePage.ts';

type Tool = 'filter' | 'group' | 'chart' | 'goTo';

/** The tools of a table outside its grid: the items of a menu, and the dialogs that they open. */
export function useTableTools(options: {
  readonly source: TableSource;
  readonly query: TableQuery;
  readonly onQuery: (query: TableQuery) => void;
  readonly columns: Columns;
  readonly summaries: Summaries | null;
  /** The number of rows of the answer. */
  readonly total: number;
  /** The column whose statistics are shown. */
  readonly studied: string | null;
  readonly closeFacts: () => void;
  readonly onCopy: (format: CopyFormat) => void;
  readonly onRow: (row: number) => void;
}): {
  readonly items: readonly MenuItem[];
  readonly dialogs: ReactNode;
  readonly open: (tool: Tool) => void;
} {
  const { source, query, onQuery, columns, summaries, total, studied } = options;
  const [tool, setTool] = useState<Tool | null>(null);
  const close = (): void => setTool(null);
  const table = (): CodeTable => codeTableOf(source, columns, summaries);
  const insert = source.insertCell;
  const canInsert = insert !== undefined && source.variable != null;
  const insertCode = (language: 'python' | 'sql', code: string): void => {
    insert?.({ language, source: code });
    toast(TABLE_WORDS.inserted);
  };
  const asCode = (style: CodeStyle): void => {
    const code = codeOf(style, table(), query);
    if (code.kind === 'none') toast(code.words, { tone: 'warn' });
    else insertCode(code.language, code.source);
  };
  const item = (label: string, onSelect: () => void): MenuItem => ({ kind: 'item', label, onSelect });
  const copies: readonly MenuItem[] = [
    item(TABLE_WORDS.copyTsv, () => options.onCopy('tsv')),
    item(TABLE_WORDS.copyMarkdown, () => options.onCopy('markdown')),
    item(TABLE_WORDS.copyJson, () => options.onCopy('json')),
    item(TABLE_WORDS.copyCode, () => options.onCopy('code')),
  ];
  const codes: readonly MenuItem[] = canInsert
    ? [
        item(TABLE_WORDS.asPandas, () => asCode('pandas')),
        item(TABLE_WORDS.asPolars, () => asCode('polars')),
        item(TABLE_WORDS.asSql, () => asCode('sql')),
      ]
    : [{ kind: 'item', label: NO_VARIABLE, disabled: true, onSelect: () => undefined }];
  const items: readonly MenuItem[] = [
    item(TABLE_WORDS.filterRows, () => setTool('filter')),
    item(TABLE_WORDS.groupRows, () => setTool('group')),
    ...(canInsert ? [item(TABLE_WORDS.chartRows, () => setTool('chart'))] : []),
    { kind: 'item', label: TABLE_WORDS.goToMenu, keys: 'Mod+G', onSelect: () => setTool('goTo') },
    { kind: 'separator' },
    { kind: 'submenu', label: TABLE_WORDS.copyAs, items: copies },
    ...(insert === undefined ? [] : [{ kind: 'submenu', label: TABLE_WORDS.asCode, items: codes } as const]),
    { kind: 'separator' },
    item(TABLE_WORDS.resetColumns, columns.reset),
  ];
  const facts = columns.all.find(({ name }) => name === studied);
  const shared = { source, query, onClose: close } as const;
  const dialogs = (
    <>
      {tool === 'filter' ? <FilterBuilder {...shared} columns={columns.all} onQuery={onQuery} /> : null}
      {tool === 'group' ? (
        <GroupDialog
          {...shared}
          columns={columns.all}
          table={canInsert ? table() : null}
          onInsert={(code) => insertCode('python', code)}
        />
      ) : null}
      {tool === 'chart' ? (
        <ChartDialog
          source={source}
          table={table()}
          columns={columns.all}
          query={query}
          onInsert={(code) => insertCode('python', code)}
          onClose={close}
        />
      ) : null}
      {tool === 'goTo' ? <GoToRow total={total} onRow={options.onRow} onClose={close} /> : null}
      {facts === undefined ? null : (
        <FactsDialog source={source} query={query} column={facts} onClose={options.closeFacts} />
      )}
    </>
  );
  return { items, dialogs, open: setTool };
}

/** The properties of the table that code needs; `shown` only if the shown columns differ from the result's. */
function codeTableOf(source: TableSource, columns: Columns, summaries: Summaries | null): CodeTable {
  const all = columns.all.map(({ name, at, kind }) => ({
    name,
    kind,
    dtype: summaries?.[at]?.dtype ?? null,
  }));
  const shownNames = columns.shown.map(({ name }) => name);
  const isSame = shownNames.length === all.length && shownNames.every((name, at) => all[at]?.name === name);
  return {
    variable: source.variable ?? '',
    columns: all,
    shown: isSame ? null : shownNames,
    isPandas: source.isPandas?.() ?? false,
  };
}
