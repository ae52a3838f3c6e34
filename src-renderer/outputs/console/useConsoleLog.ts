import { useEffect, useMemo, useReducer, useRef } from 'react';
import type { ConsoleText } from '../../state/consoleText.ts';
import { ConsoleLog } from './consoleLog.ts';

/** The lines of a stream; what is too much for one frame is read in the following ones. */
export function useConsoleLog(text: ConsoleText): { readonly log: ConsoleLog; readonly version: number } {
  const log = useRef<ConsoleLog | null>(null);
  log.current ??= new ConsoleLog();
  const [turn, goOn] = useReducer((value: number) => value + 1, 0);
  const versions = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn reads on
  const { done, version } = useMemo(() => {
    versions.current += 1;
    return { done: log.current?.take(text) ?? true, version: versions.current };
  }, [text, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version may leave something to read
  useEffect(() => {
    if (done) return;
    const frame = requestAnimationFrame(goOn);
    return () => cancelAnimationFrame(frame);
  }, [done, version]);
  return { log: log.current, version };
}
