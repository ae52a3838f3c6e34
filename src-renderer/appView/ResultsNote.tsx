/**
 * Note in an app view that some of its results are out of date or missing, with a button that runs the cells concerned.
 */

import { useState } from 'react';
import { isOutdated, lacksResult } from '../../src-shared/notebook/app/inApp.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { useSession, useViewSame } from '../notebook/context.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { Button } from '../ui/Button.tsx';
import { toast } from '../ui/toastStore.ts';
import { APP_WORDS as W } from '../words/appLayout.ts';

/** How many results of an app are out of date or missing, and one action that runs them. */
export function ResultsNote({ ids, embed }: { ids: readonly string[]; embed: boolean }) {
  const session = useSession();
  const [isRunning, setRunning] = useState(false);
  const { outdated, missing } = useViewSame(
    (view) => cellsToRun(view, ids),
    (a, b) => a.outdated.join() === b.outdated.join() && a.missing.join() === b.missing.join(),
  );
  if (outdated.length + missing.length === 0) return null;
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      for (const id of ids) {
        // An earlier run of this loop may already have updated this cell.
        const remaining = cellsToRun(session.store.getState(), ids);
        if (![...remaining.outdated, ...remaining.missing].includes(id)) continue;
        const { sessionId } = session.store.getState();
        const result = await callRoute('executeCell', { params: { sid: sessionId, cell_id: id }, query: {} });
        if (result.status === 'error') break;
      }
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      toast(error.message, { tone: 'warn' });
    } finally {
      setRunning(false);
    }
  };
  return (
    <div className="app-results" role="status">
      <span>
        {[
          ...(outdated.length > 0 ? [W.outdated(outdated.length)] : []),
          ...(missing.length > 0 ? [W.missing(missing.length)] : []),
        ].join(' ')}
      </span>
      {embed ? null : (
        <Button disabled={isRunning} onClick={() => void run()}>
          {isRunning ? W.running : W.run}
        </Button>
      )}
    </div>
  );
}

/** The cells of the app whose results are outdated or missing, without those that are running. */
function cellsToRun(
  { model }: NotebookView,
  ids: readonly string[],
): { readonly outdated: readonly string[]; readonly missing: readonly string[] } {
  const those = (test: typeof lacksResult): readonly string[] =>
    ids.filter((id) => {
      const cell = model.cells[id]?.cell;
      return cell !== undefined && cell.status !== 'running' && test(cell);
    });
  return { outdated: those(isOutdated), missing: those(lacksResult) };
}
