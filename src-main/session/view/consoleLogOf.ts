import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ConsoleLogs } from '../../notebook/kept/consoleLogs.ts';
import { KEPT_CONSOLE_CHARACTERS } from '../../notebook/kept/runtimeState.ts';
import type { Session } from '../api.ts';
import type { SessionState } from '../state/state.ts';

/**
 * Everything a cell's last run printed to a stream, or its current run if it is `live`; null for an unknown
 * cell.
 */
export async function consoleLogOf(
  state: SessionState,
  id: CellId,
  from: {
    readonly stream: 'stdout' | 'stderr';
    readonly live: { readonly cellId: CellId; readonly run: string } | null;
    readonly logs: ConsoleLogs;
  },
): ReturnType<Session['consoleLog']> {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const { stream, logs } = from;
  const live = from.live?.cellId === id ? from.live : null;
  const run = live === null ? cell.logRun : live.run;
  const path = run === null ? null : await logs.find(id, run, stream);
  if (path !== null) return { kind: 'file', path };
  const text = live === null ? cell.console[stream] : (state.running?.streams[stream] ?? '');
  return { kind: 'text', text, whole: live !== null || text.length !== KEPT_CONSOLE_CHARACTERS };
}
