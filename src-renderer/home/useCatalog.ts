/** Hook that loads the list of artifact versions for the Artifacts page, one page after another. */

import { useCallback, useEffect, useState } from 'react';
import type { CatalogEntry } from '../../src-shared/wire/routes/artifactCatalog.ts';
import { callRoute, RestError } from '../live/rest.ts';
import type { ARTIFACT_WORDS } from '../words/artifacts.ts';

export interface Filter {
  readonly search: string;
  readonly kind: keyof typeof ARTIFACT_WORDS.kinds;
  readonly kept: keyof typeof ARTIFACT_WORDS.keptOptions;
}

interface Catalog {
  /** Null until the first answer arrives. */
  readonly entries: readonly CatalogEntry[] | null;
  readonly hasMore: boolean;
  readonly totalBytes: number;
  readonly loading: boolean;
  /** The error message if the request failed. */
  readonly problem: string | null;
  readonly more: () => void;
  readonly again: () => void;
}

const PAGE = 100;
/** Delay after the last typed character before the list is requested, in ms. */
const PAUSE_MS = 150;

/** The versions in the store that match the filter, the newest first. */
export function useCatalog({ search, kind, kept: keptOnly }: Filter): Catalog {
  const [state, setState] = useState<Omit<Catalog, 'more' | 'again'>>({
    entries: null,
    hasMore: false,
    totalBytes: 0,
    loading: true,
    problem: null,
  });
  const [pages, setPages] = useState({ of: '', count: 1 });
  const [round, setRound] = useState(0);
  const key = JSON.stringify([search, kind, keptOnly]);
  const count = pages.of === key ? pages.count : 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    const ask = async (): Promise<void> => {
      try {
        const answer = await callRoute(
          'artifactCatalog',
          {
            query: {
              ...(search === '' ? {} : { search }),
              ...(kind === 'all' ? {} : { content_type: kind }),
              ...(keptOnly === 'all' ? {} : { kept: keptOnly }),
              limit: String(Math.min(500, PAGE * count)),
            },
          },
          { signal: stop.signal },
        );
        if (stop.signal.aborted) return;
        setState({
          entries: answer.artifacts,
          hasMore: answer.has_more && PAGE * count < 500,
          totalBytes: answer.total_bytes,
          loading: false,
          problem: null,
        });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState((before) => ({ ...before, loading: false, problem: error.message }));
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, count, round]);
  return {
    ...state,
    more: useCallback(() => setPages({ of: key, count: count + 1 }), [key, count]),
    again: useCallback(() => setRound((one) => one + 1), []),
  };
}
