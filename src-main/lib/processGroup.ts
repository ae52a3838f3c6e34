/** Ends processes together with everything they started, by signals that get harder. */

import { spawn } from 'node:child_process';

/**
 * The signals that end a process. A process started with `detached: true` leads its own group; signals go to the group
 * and so reach the processes that a cell started.
 */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

/** One step of a ladder of signals: the signal and when it is sent, in milliseconds after the ladder started. */
export interface SignalStep {
  readonly signal: StopSignal;
  readonly afterMs: number;
}

/**
 * For a local cell that a user stops: its handlers of KeyboardInterrupt (a file, a transaction) get time (ADR 0011).
 */
export const PATIENT_LADDER: readonly SignalStep[] = [
  { signal: 'SIGINT', afterMs: 0 },
  { signal: 'SIGTERM', afterMs: 5_000 },
  { signal: 'SIGKILL', afterMs: 7_000 },
];

/** For a local cell that ends because other work waits for that: it may clean up, but not for long. */
export const CANCEL_LADDER: readonly SignalStep[] = [
  { signal: 'SIGINT', afterMs: 0 },
  { signal: 'SIGTERM', afterMs: 500 },
  { signal: 'SIGKILL', afterMs: 2_500 },
];

/** For cells at their time limit, and for cells on workers (docs/spec/harness.md, 3). */
export const TIMEOUT_LADDER: readonly SignalStep[] = [
  { signal: 'SIGTERM', afterMs: 0 },
  { signal: 'SIGKILL', afterMs: 2_000 },
];

/** A ladder in progress. */
interface Climb {
  /** Sends the next signal now; the following ones keep their distance to it. */
  next(): void;
  stop(): void;
}

/**
 * Sends the ladder's signals in turn until `stop` is called. Rungs due at once are sent before this returns.
 */
export function sendSignals(ladder: readonly SignalStep[], send: (signal: StopSignal) => void): Climb {
  let at = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    clearTimeout(timer);
    const rung = ladder[at++];
    if (rung === undefined) return;
    send(rung.signal);
    const after = ladder[at];
    if (after !== undefined) timer = setTimeout(next, after.afterMs - rung.afterMs);
  };
  if (ladder[0]?.afterMs === 0) next();
  return {
    next,
    stop() {
      clearTimeout(timer);
      at = ladder.length;
    },
  };
}

/**
 * Signals the group led by `pid`. A missing group is no error. Windows has no groups and no gentle signals:
 * any signal ends the process tree.
 */
export function signalGroup(pid: number, signal: StopSignal): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => process.kill(pid),
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Whether the group no longer exists: it has ended, or the number belongs to another user. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ESRCH' || code === 'EPERM';
}
