/** Hook that loads the value distributions of a table's columns, for the bars in their headers. */

import { startTransition, useEffect, useRef, useState } from 'react';
import type { ColumnDistribution } from '../../../src-shared/wire/routes/extensions.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { askInTurn } from './askInTurn.ts';
import type { TableQuery } from './tableQuery.ts';
import { narrowingParams } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

/** The distributions of the columns' values, in the table's order; `total`: the number of rows. */
export interface Distributions {
  readonly columns: readonly ColumnDistribution[];
  readonly total: number;
}

/** Cache by artifact, search and filters: a version never changes. The oldest entries are dropped. */
const spreadsByKey = new Map<string, Distributions>();
const MAX_KNOWN = 100;

/**
 * The value distributions of a table's columns, over the rows of a query; requested once `wanted`. While those of
 * another query are loading, the previous ones stay; null if there are none.
 */
export function useDistributions(
  source: TableSource,
  query: TableQuery,
  wanted: boolean,
): Distributions | null {
  const { sessionId, cellId } = source;
  const uri = source.output.artifact_uri;
  const key = JSON.stringify([uri, query.search, query.filters]);
  const [, arrived] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const missing = wanted && uri !== null && !spreadsByKey.has(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the search and filters of the query matter
  useEffect(() => {
    if (!missing || uri === null) return;
    return askInTurn(async (signal) => {
      const spreads = await fetchSpreads({ sessionId, cellId, uri }, query, signal);
      if (spreads === null) return startTransition(() => setRefused(key));
      cacheSpreads(key, spreads);
      startTransition(() => arrived((now) => now + 1));
    });
  }, [missing, uri, sessionId, cellId, key]);
  const latest = useRef<Distributions | null>(null);
  const cached = wanted ? spreadsByKey.get(key) : undefined;
  latest.current = cached ?? (refused === key ? null : latest.current);
  return latest.current;
}

/** Null if the server has none; that is not an error: the header then shows less. */
async function fetchSpreads(
  of: { readonly sessionId: string; readonly cellId: string; readonly uri: string },
  query: TableQuery,
  signal: AbortSignal,
): Promise<Distributions | null> {
  try {
    const answer = await callRoute(
      'cellDistribution',
      {
        params: { sid: of.sessionId, cell_id: of.cellId },
        query: { artifact_uri: of.uri, ...narrowingParams(query) },
      },
      { signal },
    );
    if (!answer.pageable) return null;
    return { columns: answer.columns, total: answer.total };
  } catch (error) {
    if (error instanceof RestError) return null;
    throw error;
  }
}

function cacheSpreads(key: string, spreads: Distributions): void {
  spreadsByKey.set(key, spreads);
  for (const old of spreadsByKey.keys()) {
    if (spreadsByKey.size <= MAX_KNOWN) return;
    spreadsByKey.delete(old);
  }
}
