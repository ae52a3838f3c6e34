import { useEffect } from 'react';
import { shellBridge } from '../state/shellBridge.ts';
import { useSession } from './context.ts';
import { createRunReport } from './runReport.ts';

/** Keeps the desktop window informed of the runs here; does nothing in a browser. */
export function useRunReport(): void {
  const session = useSession();
  useEffect(() => {
    const shell = shellBridge();
    if (shell === null) return;
    const report = createRunReport({
      tell: (state) => shell.setRunState(state),
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
