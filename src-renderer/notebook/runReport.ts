/** Reports runs to the desktop app. */

import type { ShellRunState } from '../../src-shared/shell/bridge.ts';
import type { NotebookModel } from '../state/notebookModel.ts';

/** Between two cells of one run nothing runs for a moment: that is no end yet. */
const SETTLE_MS = 500;

interface RunReportWorld {
  readonly tell: (state: ShellRunState) => void;
  readonly nowMs: () => number;
  /** Calls back later. @returns how to forget it */
  readonly after: (ms: number, act: () => void) => () => void;
}

/**
 * Reports a notebook's runs to the desktop window: when a run begins, when the number of running cells changes, and
 * when it is over, with its duration and whether one of its cells failed.
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

  const tell = (running: number): void => {
    reported = running;
    const title = latest?.meta?.name ?? null;
    const seconds = startedMs === null ? null : (world.nowMs() - startedMs) / 1000;
    const failed = running === 0 && [...ran].some((id) => latest?.cells[id]?.cell.status === 'error');
    world.tell({ running, title, seconds, failed });
  };
  const over = (): void => {
    forget = null;
    tell(0);
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
      if (running.length !== reported) tell(running.length);
    },
    stop() {
      forget?.();
      if (startedMs !== null) over();
    },
  };
}
