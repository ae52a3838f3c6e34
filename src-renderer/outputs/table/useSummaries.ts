/** Hook that loads the summaries of a table's columns (range, distinct values and so on), for their headers. */

import { startTransition, useEffect, useState } from 'react';
import { callRoute, RestError } from '../../live/rest.ts';
import { askInTurn } from './askInTurn.ts';
import type { ColumnSummary } from './summary.ts';
import type { TableSource } from './useTablePage.ts';

/** One summary per column, in the table's order, because two columns may have the same name. */
export type Summaries = readonly ColumnSummary[];

/** Cache by artifact: a version never changes. The oldest entries are dropped. */
const summariesByKey = new Map<string, Summaries>();
const MAX_KNOWN = 200;

/** The server's summaries of a table's columns; null until loaded. Requested once the table is `wanted`. */
export function useSummaries(source: TableSource, wanted: boolean): Summaries | null {
  const { sessionId, cellId } = source;
  const uri = source.output.artifact_uri;
  const [, arrived] = useState(0);
  const missing = wanted && uri !== null && !summariesByKey.has(uri);
  useEffect(() => {
    if (!missing || uri === null) return;
    return askInTurn(async (signal) => {
      const summaries = await fetchSummaries({ sessionId, cellId, uri }, signal);
      if (summaries === null) return;
      cacheSummaries(uri, summaries);
      startTransition(() => arrived((now) => now + 1));
    });
  }, [missing, uri, sessionId, cellId]);
  return uri === null ? null : (summariesByKey.get(uri) ?? null);
}

/** Null if the server has none; that is not an error: the header then shows less. */
async function fetchSummaries(
  of: { sessionId: string; cellId: string; uri: string },
  signal: AbortSignal,
): Promise<Summaries | null> {
  try {
    const answer = await callRoute(
      'cellSummary',
      { params: { sid: of.sessionId, cell_id: of.cellId }, query: { artifact_uri: of.uri } },
      { signal },
    );
    if (!answer.pageable) return null;
    return answer.columns;
  } catch (error) {
    if (error instanceof RestError) return null;
    throw error;
  }
}

function cacheSummaries(uri: string, summaries: Summaries): void {
  summariesByKey.set(uri, summaries);
  for (const old of summariesByKey.keys()) {
    if (summariesByKey.size <= MAX_KNOWN) return;
    summariesByKey.delete(old);
  }
}
