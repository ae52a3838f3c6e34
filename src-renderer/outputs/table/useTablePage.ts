/** Hook that loads the page of a table result that is shown in the notebook. */

import { useEffect, useMemo, useState } from 'react';
import type { Output } from '../../../src-shared/wire/output.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import type { RowWindow, TablePage } from './tablePage.ts';
import { firstRows, pageOfAnswer, pageOfPreview } from './tablePage.ts';
import type { FetchPage } from './tablePages.ts';
import type { TableQuery } from './tableQuery.ts';
import { plainQuery, queryParams } from './tableQuery.ts';

/** The cell output from which a table's rows are requested. */
export interface TableSource {
  readonly sessionId: string;
  readonly cellId: string;
  readonly output: Output;
  /** The display name of the cell, if known. */
  readonly cellName?: string;
  /** The name of an exported file, without extension; default: the cell's id. */
  readonly saveAs?: string;
  /** The position among the displays of the cell. */
  readonly index?: number;
  /** The variable whose value is the table; null if there is none. */
  readonly variable?: string | null;
  /** Whether the variable is a pandas frame, judging from the notebook's code; called when code is written. */
  readonly isPandas?: () => boolean;
  /** Inserts a new cell below this one; absent if the notebook cannot be changed. */
  readonly insertCell?: (cell: { readonly language: 'python' | 'sql'; readonly source: string }) => void;
}

/** The key under which the arrangement of a table's columns is stored. */
export function tableName({ cellId, index = 0 }: TableSource): string {
  return index === 0 ? cellId : `${cellId} ${index}`;
}

/** A function that fetches pages from the server. @throws RestError, also for a result that cannot be paged. */
export function fetchPageOf(source: TableSource, query: TableQuery): FetchPage {
  const { sessionId, cellId, output } = source;
  return async (offset, limit, signal) => {
    const answer = await callRoute(
      'cellData',
      {
        params: { sid: sessionId, cell_id: cellId },
        query: { artifact_uri: output.artifact_uri ?? '', offset, limit, ...queryParams(query) },
      },
      { signal },
    );
    const page = pageOfAnswer(answer);
    if (page === null) throw new RestError(TABLE_WORDS.unavailable, { status: 200, code: null });
    return page;
  };
}

/** The page of a table shown in the notebook: the preview's rows without a request, all others from the server. */
export function useTablePage(source: TableSource, query: TableQuery, place: RowWindow) {
  const { sessionId, cellId, output } = source;
  const fromPreview = useMemo(() => pageOfPreview(output, query, place), [output, query, place]);
  const [fetched, setFetched] = useState<{ page: TablePage; uri: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const uri = output.artifact_uri;
  const need = fromPreview === null && uri !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the uri of the output matters
  useEffect(() => {
    setProblem(null);
    if (!need) {
      setBusy(false);
      return;
    }
    const stop = new AbortController();
    setBusy(true);
    fetchPageOf({ sessionId, cellId, output }, query)(place.offset, place.limit, stop.signal)
      .then((page) => {
        setFetched({ page, uri });
        setBusy(false);
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setBusy(false);
        if (!(error instanceof RestError)) throw error;
        setProblem(error.message);
      });
    return () => stop.abort();
  }, [need, uri, sessionId, cellId, query, place]);
  // While the next page is loading, the previous one stays, so that nothing jumps.
  const older =
    fetched !== null && fetched.uri === uri
      ? fetched.page
      : (pageOfPreview(output, plainQuery, firstRows) ?? wholePreview(output));
  return { page: fromPreview ?? older, problem, busy };
}

/** All rows of the preview, for a table that cannot be paged. */
function wholePreview(output: Output): TablePage | null {
  const rows = Math.min(output.rows ?? 0, 20);
  return pageOfPreview({ ...output, rows }, plainQuery, { offset: 0, limit: 20 });
}
