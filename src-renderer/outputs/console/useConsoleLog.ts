/** Hook that provides the lines of a console stream and says when they must be drawn again. */

import { useEffect, useMemo, useReducer, useRef } from 'react';
import type { ConsoleText } from '../../state/consoleText.ts';
import { ConsoleLog } from './consoleLog.ts';

/** More new characters than this since the last drawing are a flood: no line of that drawing is still visible. */
const FLOOD = 32 * 1024;
/** The interval at which a flood is drawn, in ms: a shorter one is unreadable, and each drawing lays out all lines. */
const FLOOD_DRAWN_EACH_MS = 50;

/**
 * The lines of a stream. New text is read immediately, or over several frames if it is too much for one. `version`
 * changes when the lines must be drawn, which in a flood is not in every frame.
 */
export function useConsoleLog(text: ConsoleText): { readonly log: ConsoleLog; readonly version: number } {
  const log = useRef<ConsoleLog | null>(null);
  log.current ??= new ConsoleLog();
  const [turn, goOn] = useReducer((value: number) => value + 1, 0);
  const lastDrawing = useRef({ version: 0, at: 0, total: 0, epoch: -1 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn continues reading
  const { settled, version } = useMemo(() => {
    const done = log.current?.take(text) ?? true;
    if (log.current?.isReplacing) return { settled: false, version: lastDrawing.current.version };
    const { at, total, epoch } = lastDrawing.current;
    const now = performance.now();
    const flood = text.epoch === epoch && text.total - total > FLOOD;
    const draws = !flood || now - at >= FLOOD_DRAWN_EACH_MS;
    if (draws) {
      lastDrawing.current = {
        version: lastDrawing.current.version + 1,
        at: now,
        total: text.total,
        epoch: text.epoch,
      };
    }
    return { settled: done && draws, version: lastDrawing.current.version };
  }, [text, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn may leave something to read or to draw
  useEffect(() => {
    if (settled) return;
    const frame = requestAnimationFrame(goOn);
    return () => cancelAnimationFrame(frame);
  }, [settled, text, turn]);
  return { log: log.current, version };
}
