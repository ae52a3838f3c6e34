/** Shows the progress of runs in the desktop app's dock or taskbar, and notifies the user at the end of a long run. */

import type { ShellRunState } from '../../src-shared/shell/bridge.ts';

/** The parts of a window that show its run outside the page. Electron's window is one. */
export interface RunWindow {
  readonly id: number;
  isFocused(): boolean;
  isDestroyed(): boolean;
  setProgressBar(
    progress: number,
    options?: { mode: 'none' | 'normal' | 'indeterminate' | 'error' | 'paused' },
  ): void;
}

interface RunSurroundings<W extends RunWindow> {
  readonly blockSuspension: () => number;
  readonly allowSuspension: (id: number) => void;
  /** Shows a notification; a click on it opens the window. */
  readonly notify: (window: W, text: { readonly title: string; readonly body: string }) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface RunWatch<W extends RunWindow> {
  readonly changed: (window: W, state: ShellRunState) => void;
  readonly closed: (windowId: number) => void;
  readonly focused: (window: W) => void;
}

/** Only runs of at least this length are notified; shorter ones end before a user has turned to something else. */
const NOTIFY_FROM_SECONDS = 10;
/** Electron's value for an indeterminate bar. */
const INDETERMINATE = 2;
const NO_BAR = -1;

/**
 * Follows the runs of every window: a progress bar in the dock or taskbar, no sleep of the machine meanwhile,
 * and a notification at the end of a long run whose window is not in front.
 */
export function createRunWatch<W extends RunWindow>(around: RunSurroundings<W>): RunWatch<W> {
  const running = new Map<number, number>();
  let blocker: number | null = null;

  function keepAwake(): void {
    if (running.size > 0 && blocker === null) blocker = around.blockSuspension();
    if (running.size > 0 || blocker === null) return;
    around.allowSuspension(blocker);
    blocker = null;
  }

  function ended(window: W, state: ShellRunState, startedAt: number): void {
    const away = !window.isFocused();
    if (away && state.failed) window.setProgressBar(1, { mode: 'error' });
    else window.setProgressBar(NO_BAR);
    const seconds = state.seconds ?? (around.now() - startedAt) / 1000;
    if (!away || seconds <= NOTIFY_FROM_SECONDS) return;
    const title = state.title ?? 'Cellar';
    const body = `${state.failed ? 'A cell failed' : 'Done'} after ${duration(seconds)}.`;
    around.notify(window, { title, body });
  }

  return {
    changed(window, state) {
      const startedAt = running.get(window.id);
      if (state.running > 0 && startedAt === undefined) {
        running.set(window.id, around.now());
        window.setProgressBar(INDETERMINATE, { mode: 'indeterminate' });
      }
      if (state.running === 0 && startedAt !== undefined) {
        running.delete(window.id);
        ended(window, state, startedAt);
      }
      keepAwake();
    },
    closed(windowId) {
      running.delete(windowId);
      keepAwake();
    },
    focused(window) {
      if (!running.has(window.id) && !window.isDestroyed()) window.setProgressBar(NO_BAR);
    },
  };
}

/** A duration as text: `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
