import { useEffect, useState } from 'react';
import { type AnswerOf, callRoute, RestError } from '../live/rest.ts';

/** The artifact versions that "Free space" would delete now; requested when its dialog opens. */
export function useFreePreview(): {
  readonly preview: AnswerOf<'collectArtifacts'> | null;
  readonly problem: string | null;
} {
  const [state, setState] = useState<ReturnType<typeof useFreePreview>>({ preview: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const query = { max_idle_days: '0', min_idle_seconds: '3600', dry_run: 'true' };
    callRoute('collectArtifacts', { query }, { signal: stop.signal }).then(
      (preview) => {
        if (!stop.signal.aborted) setState({ preview, problem: null });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setState({ preview: null, problem: error.message });
      },
    );
    return () => stop.abort();
  }, []);
  return state;
}
