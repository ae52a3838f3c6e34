/** Hook that loads the lineage graph around an artifact version in parts, as the user moves through it. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { callRoute, RestError } from '../../live/rest.ts';
import { type LineageGraph, mergeGraph, NO_GRAPH } from './lineageGraph.ts';

interface Lineage {
  readonly graph: LineageGraph;
  readonly loading: boolean;
  /** The error message of the last request, if it failed. */
  readonly problem: string | null;
  /** Whether an answer omitted nodes because there were too many. */
  readonly isCut: boolean;
  /** Loads the direct inputs and dependents of a version. */
  readonly expand: (uri: string) => void;
}

/** The levels that are loaded first. */
const OPENING = { up: 3, down: 2 } as const;
/** The most neighbours that one step adds. */
const STEP_LIMIT = 200;

/** The graph around a version, loaded in part and then step by step. */
export function useLineage(root: string): Lineage {
  const [state, setState] = useState<Omit<Lineage, 'expand'>>({
    graph: NO_GRAPH,
    loading: true,
    problem: null,
    isCut: false,
  });
  const stop = useRef(new AbortController());
  const load = useCallback((uri: string, levels: { up: number; down: number }, limit: number): void => {
    const params = paramsOf(uri);
    if (params === null) return;
    const { signal } = stop.current;
    setState((before) => ({ ...before, loading: true }));
    const query = { up: String(levels.up), down: String(levels.down), limit: String(limit) };
    callRoute('artifactMap', { params, query }, { signal }).then(
      (answer) => {
        if (signal.aborted) return;
        setState(({ graph, isCut }) => ({
          graph: mergeGraph(graph, answer),
          loading: false,
          problem: null,
          isCut: isCut || answer.truncated,
        }));
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState((before) => ({ ...before, loading: false, problem: error.message }));
      },
    );
  }, []);
  useEffect(() => {
    stop.current = new AbortController();
    setState({ graph: NO_GRAPH, loading: true, problem: null, isCut: false });
    load(root, OPENING, 300);
    return () => stop.current.abort();
  }, [root, load]);
  const expand = useCallback((uri: string) => load(uri, { up: 1, down: 1 }, STEP_LIMIT), [load]);
  return { ...state, expand };
}

/** The artifact id and version in the URI of a version; null for a table or a file. */
export function paramsOf(uri: string): { artifact_id: string; version: string } | null {
  const at = uri.lastIndexOf('@v=');
  if (!uri.startsWith('svc://artifact/') || at === -1) return null;
  return { artifact_id: uri.slice('svc://artifact/'.length, at), version: uri.slice(at + 3) };
}
