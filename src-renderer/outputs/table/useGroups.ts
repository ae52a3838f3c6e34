/** Hook that loads the groups of a table's rows for the group dialog. */

import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../live/rest.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import type { Measure } from './code/groupCode.ts';
import type { TableQuery } from './tableQuery.ts';
import { narrowingParams } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

/** The most groups shown. */
const SHOWN = 500;

export type GroupsAnswer = Extract<AnswerOf<'cellGroups'>, { pageable: true }>;

/** The sort of the groups: by a column's position in the answer; null: by the keys. */
export type GroupSort = { readonly at: number; readonly dir: 'asc' | 'desc' } | null;

interface State {
  readonly answer: GroupsAnswer | null;
  readonly problem: string | null;
}

/** The groups of a query. The previous answer stays while a new one is loading. */
export function useGroups(
  source: TableSource,
  query: TableQuery,
  ask: { readonly by: readonly string[]; readonly measures: readonly Measure[]; readonly sort: GroupSort },
): State {
  const { sessionId, cellId } = source;
  const uri = source.output.artifact_uri ?? '';
  const [state, setState] = useState<State>({ answer: null, problem: null });
  const by = JSON.stringify(ask.by);
  const measures = JSON.stringify(
    ask.measures.map(({ col, agg }) => (col === null ? { agg } : { col, agg })),
  );
  const sort = ask.sort === null ? '' : JSON.stringify(ask.sort);
  const key = JSON.stringify([query.search, query.filters]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the search and filters of the query matter
  useEffect(() => {
    const stop = new AbortController();
    const order = ask.sort === null ? {} : { sort: ask.sort.at, sort_dir: ask.sort.dir };
    callRoute(
      'cellGroups',
      {
        params: { sid: sessionId, cell_id: cellId },
        query: { artifact_uri: uri, by, measures, limit: SHOWN, ...order, ...narrowingParams(query) },
      },
      { signal: stop.signal },
    )
      .then((answer) =>
        setState(
          answer.pageable ? { answer, problem: null } : { answer: null, problem: TABLE_WORDS.unavailable },
        ),
      )
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ answer: null, problem: error.message });
      });
    return () => stop.abort();
  }, [sessionId, cellId, uri, by, measures, sort, key]);
  return state;
}
