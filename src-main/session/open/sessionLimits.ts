/** Decides which sessions the server's limits may close. */

import type { SessionState } from '../state/state.ts';

/** The parts of a session that the limits read. */
export interface LimitedSession {
  readonly state: Pick<
    SessionState,
    'running' | 'testing' | 'environment' | 'unsaved' | 'locks' | 'inspections' | 'options'
  >;
  readonly lastActivityMs: number;
}

/**
 * Why no limit may close a session now; null: it may be closed. A running cell, an environment job and a held soft lock
 * prevent it (docs/spec/live-protocol.md, 7). Cellar adds: running tests, a console that evaluates, and a text the disk
 * refused, which would be lost.
 */
function whyKept({ state }: LimitedSession, nowMs: number): string | null {
  const { running, testing, environment, unsaved, locks, inspections, options } = state;
  if (running !== null) return 'a cell runs';
  if (testing.size > 0) return 'tests run';
  if (environment.job?.status === 'running') return 'the environment is worked on';
  if (unsaved.size > 0) return 'a text is not saved';
  for (const { waiting } of inspections.values()) if (waiting.length > 0) return 'a console evaluates';
  const lockMs = options.cellLockSeconds * 1000;
  for (const { atMs } of locks.values()) if (nowMs - atMs < lockMs) return 'a cell is locked';
  return null;
}

/** The sessions that may be closed now, least recently used first. */
export function closableSessions<S extends LimitedSession>(
  sessions: Iterable<S>,
  { nowMs, isHeld }: { readonly nowMs: number; readonly isHeld: (session: S) => boolean },
): readonly S[] {
  return [...sessions]
    .filter((session) => whyKept(session, nowMs) === null && !isHeld(session))
    .toSorted((a, b) => a.lastActivityMs - b.lastActivityMs);
}
