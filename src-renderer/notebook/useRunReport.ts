/** Hook that reports runs to the desktop window, or notifies the user by the browser when a long run ends. */

import { useEffect } from 'react';
import type { ShellRunState } from '../../src-shared/shell/bridge.ts';
import { isAnnounced, notificationPermission, showNotification } from '../state/notifications.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { preferences } from '../theme/theme.ts';
import { RUNS_WORDS } from '../words/runs.ts';
import { durationText } from '../words/strings.ts';
import { useSession } from './context.ts';
import { createRunReport } from './runReport.ts';

/**
 * Reports runs to the desktop window, which also shows their progress, or notifies the user of the end of long runs by
 * the browser.
 */
export function useRunReport(): void {
  const session = useSession();
  useEffect(() => {
    const shell = shellBridge();
    const report = createRunReport({
      report: (state) => (shell === null ? announce(state) : shell.setRunState(forShell(state))),
      nowMs: () => performance.now(),
      after: (ms, act) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
    });
    const stop = session.store.subscribe(({ model }) => report.changed(model));
    report.changed(session.store.getState().model);
    return () => {
      stop();
      report.stop();
    };
  }, [session]);
}

/** If notifications are off, the duration is reported as 0 s, for which the desktop window shows none. */
function forShell(state: ShellRunState): ShellRunState {
  return preferences().notifyRuns || state.running > 0 ? state : { ...state, seconds: 0 };
}

function announce({ running, title, seconds, failed }: ShellRunState): void {
  if (running > 0) return;
  const run = { seconds, hidden: document.hidden, wanted: preferences().notifyRuns };
  if (!isAnnounced({ ...run, permission: notificationPermission() })) return;
  showNotification(title ?? 'Cellar', RUNS_WORDS.ended(failed, durationText((seconds ?? 0) * 1_000)));
}
