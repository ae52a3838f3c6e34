/** Finds everything that a cell printed in its last or current run. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ConsoleLogs } from '../../notebook/stored/consoleLogs.ts';
import { MAX_STORED_CONSOLE_CHARACTERS } from '../../notebook/stored/runtimeState.ts';
import type { SessionState } from '../state/state.ts';

/** A file if it is long, which grows while the cell runs. `whole` is false if the beginning was discarded. */
export type ConsoleLog =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string; readonly whole: boolean };

/** The run that prints now. */
export interface LiveRun {
  readonly cellId: CellId;
  readonly run: string;
}

/**
 * Everything a cell's last run printed to a stream, or its current run if it is `live`; null for an unknown
 * cell.
 */
export async function consoleLogOf(
  state: SessionState,
  id: CellId,
  from: {
    readonly stream: 'stdout' | 'stderr';
    readonly live: LiveRun | null;
    readonly logs: ConsoleLogs;
  },
): Promise<ConsoleLog | null> {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const { stream, logs } = from;
  const live = from.live?.cellId === id ? from.live : null;
  const run = live === null ? cell.logRun : live.run;
  const path = run === null ? null : await logs.find(id, run, stream);
  if (path !== null) return { kind: 'file', path };
  const text = live === null ? cell.console[stream] : (state.running?.streams[stream] ?? '');
  return { kind: 'text', text, whole: live !== null || text.length !== MAX_STORED_CONSOLE_CHARACTERS };
}
