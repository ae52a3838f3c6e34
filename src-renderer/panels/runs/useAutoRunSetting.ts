import { useState } from 'react';
import type { AutoRun } from '../../../src-shared/wire/autoRun.ts';
import { RestError } from '../../live/rest.ts';
import { useSession } from '../../notebook/context.ts';
import { RUNS_WORDS as W } from '../../words/runs.ts';

/** Hook that changes the settings of automatic runs, and shows why a change was refused. */
export function useAutoRunSetting(): {
  readonly problem: string | null;
  readonly set: (change: Partial<AutoRun>) => void;
} {
  const session = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const change = async (settings: Partial<AutoRun>): Promise<void> => {
    try {
      await session.autoRuns.set(settings);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      setProblem(W.autoFailed(error.message));
    }
  };
  return { problem, set: (settings) => void change(settings) };
}
