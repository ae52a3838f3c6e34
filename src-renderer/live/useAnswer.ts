/** React hook for the answer of one GET route of the server: loading, answer or error. */

import { useEffect, useState } from 'react';
import type { RouteName } from '../../src-shared/wire/routes/all.ts';
import { type AnswerOf, type CallOf, callRoute, RestError } from './rest.ts';

export interface Answer<T> {
  /** The newest answer; while a newer one is loading, the previous one. */
  readonly value: T | null;
  /** The error message if the request failed; else null. */
  readonly problem: string | null;
  readonly loading: boolean;
  readonly again: () => void;
}

/**
 * The answer of one GET route, requested again when `key` changes; null requests nothing. The answer for one `subject`
 * is never shown for another.
 */
export function useAnswer<N extends RouteName>(
  name: N,
  call: CallOf<N> | null,
  ask: { readonly subject: string; readonly key: string },
): Answer<AnswerOf<N>> {
  const [state, setState] = useState<{
    subject: string;
    value: AnswerOf<N> | null;
    problem: string | null;
    loading: boolean;
  }>({ subject: ask.subject, value: null, problem: null, loading: call !== null });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `call` is a new object at every render; subject and key identify it
  useEffect(() => {
    if (call === null) return;
    const ending = new AbortController();
    setState((before) => ({
      ...(before.subject === ask.subject ? before : { subject: ask.subject, value: null, problem: null }),
      loading: true,
    }));
    callRoute(name, call, { signal: ending.signal }).then(
      (value) => {
        if (!ending.signal.aborted) setState({ subject: ask.subject, value, problem: null, loading: false });
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ subject: ask.subject, value: null, problem: error.message, loading: false });
      },
    );
    return () => ending.abort();
  }, [name, ask.subject, ask.key, call === null, times]);
  const isOurs = state.subject === ask.subject;
  return {
    value: isOurs ? state.value : null,
    problem: isOurs ? state.problem : null,
    loading: !isOurs || state.loading,
    again: () => setTimes((count) => count + 1),
  };
}
