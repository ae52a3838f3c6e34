/** Hook that loads the statistics of one column of a table. */

import { useEffect, useState } from 'react';
import type { ColumnFacts } from '../../../src-shared/wire/routes/tables.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import type { TableQuery } from './tableQuery.ts';
import { narrowingParams } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

export type FactsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'facts'; readonly facts: ColumnFacts; readonly total: number }
  | { readonly kind: 'problem'; readonly words: string };

/**
 * The server's statistics of one column, over the rows of a query. The previous ones stay while new ones are loading.
 */
export function useColumnFacts(
  source: TableSource,
  query: TableQuery,
  ask: { readonly column: string; readonly find?: string; readonly most: number },
): FactsState {
  const { sessionId, cellId } = source;
  const uri = source.output.artifact_uri ?? '';
  const { column, find = '', most } = ask;
  const [state, setState] = useState<FactsState>({ kind: 'loading' });
  const key = JSON.stringify([query.search, query.filters]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the search and filters of the query matter
  useEffect(() => {
    const stop = new AbortController();
    callRoute(
      'cellColumn',
      {
        params: { sid: sessionId, cell_id: cellId },
        query: { artifact_uri: uri, column, find, most, ...narrowingParams(query) },
      },
      { signal: stop.signal },
    )
      .then((answer) =>
        setState(
          answer.pageable
            ? { kind: 'facts', facts: answer.column, total: answer.total }
            : { kind: 'problem', words: TABLE_WORDS.unavailable },
        ),
      )
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ kind: 'problem', words: error.message });
      });
    return () => stop.abort();
  }, [sessionId, cellId, uri, column, find, most, key]);
  return state;
}
