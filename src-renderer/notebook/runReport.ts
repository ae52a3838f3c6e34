/** Reports the start, progress and end of the notebook's runs to the desktop window (or to notifications). */

import type { ShellRunState } from '../../src-shared/shell/bridge.ts';
import type { NotebookModel } from '../state/notebookModel.ts';

/** Between two cells of a run nothing runs for a moment, which is not the end of the run. */
const SETTLE_MS = 500;

interface RunReportWorld {
  readonly report: (state: ShellRunState) => void;
  readonly nowMs: () => number;
  /**
   * Calls `act` later.
   * @returns a function that cancels the call
   */
  readonly after: (ms: number, act: () => void) => () => void;
}

/**
 * Reports the notebook's runs to the desktop window: when a run starts, when the number of running cells changes, and
 * when it ends, with its duration and whether a cell failed.
 */
export function createRunReport(world: RunReportWorld): {
  readonly changed: (model: NotebookModel) => void;
  readonly stop: () => void;
} {
  const ran = new Set<string>();
  let startedMs: number | null = null;
  let reported = 0;
  let forget: (() => void) | null = null;
  let latest: NotebookModel | null = null;

  const report = (running: number): void => {
    reported = running;
    const title = latest?.meta?.name ?? null;
    const seconds = startedMs === null ? null : (world.nowMs() - startedMs) / 1000;
    const failed = running === 0 && [...ran].some((id) => latest?.cells[id]?.cell.status === 'error');
    world.report({ running, title, seconds, failed });
  };
  const over = (): void => {
    forget = null;
    report(0);
    startedMs = null;
    ran.clear();
  };

  return {
    changed(model) {
      if (model.cells === latest?.cells) return;
      latest = model;
      const running = model.order.filter((id) => model.cells[id]?.cell.status === 'running');
      for (const id of running) ran.add(id);
      if (running.length === 0) {
        if (startedMs !== null) forget ??= world.after(SETTLE_MS, over);
        return;
      }
      forget?.();
      forget = null;
      startedMs ??= world.nowMs();
      if (running.length !== reported) report(running.length);
    },
    stop() {
      forget?.();
      if (startedMs !== null) over();
    },
  };
}
