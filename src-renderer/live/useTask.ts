/** React hook for one request that a person starts: whether it is in progress, and why it failed. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { RestError } from './rest.ts';

export interface Task {
  readonly busy: boolean;
  /** The error message of the last attempt. */
  readonly problem: string | null;
  readonly run: (act: (signal: AbortSignal) => Promise<void>) => void;
  readonly clear: () => void;
}

/** A request that a person starts: whether it is in progress, and why it failed. It is aborted with the component. */
export function useTask(): Task {
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({
    busy: false,
    problem: null,
  });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const run = useCallback((act: (signal: AbortSignal) => Promise<void>) => {
    current.current?.abort();
    const stop = new AbortController();
    current.current = stop;
    setState({ busy: true, problem: null });
    act(stop.signal).then(
      () => {
        if (!stop.signal.aborted) setState({ busy: false, problem: null });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ busy: false, problem: error.message });
      },
    );
  }, []);
  const clear = useCallback(() => {
    current.current?.abort();
    setState({ busy: false, problem: null });
  }, []);
  return { ...state, run, clear };
}
