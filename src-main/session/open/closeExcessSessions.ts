/** Closes idle sessions beyond the server's limits of time, number and memory. */

import { freemem } from 'node:os';
import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import { closableSessions, type LimitedSession } from './sessionLimits.ts';

const MIB = 1024 * 1024;

/** The limits for the open sessions of a server. */
export interface Limits {
  /** Sessions idle for longer are closed. */
  readonly ttlMs: number;
  /** Maximum number of open sessions. */
  readonly most: number;
  /** Minimum available memory of the machine, in MiB; null: not checked. */
  readonly minAvailableMb: number | null;
}

/** Access to the sessions for the limits. */
export interface LimitedSessions<S extends LimitedSession> {
  readonly open: () => Iterable<S>;
  readonly end: (session: S, reason: SessionClosedReason) => Promise<void>;
  /** Whether a hold protects the session from the limits. */
  readonly isHeld?: (session: S) => boolean;
  readonly nowMs?: () => number;
  /** Memory that programs can still allocate, in MiB. */
  readonly availableMb?: () => number;
}

/**
 * Closes sessions that exceed the limits (docs/spec/live-protocol.md, 7): those idle for too long; the least recently
 * used while memory is short; and the least recently used beyond `most`, counting `opening` sessions that are about to
 * open. Sessions that may not be closed stay, and no opening is refused.
 */
export async function closeExcessSessions<S extends LimitedSession>(
  sessions: LimitedSessions<S>,
  { limits, opening }: { readonly limits: Limits; readonly opening: () => number },
): Promise<void> {
  const { end, isHeld = () => false, nowMs = Date.now, availableMb = () => freemem() / MIB } = sessions;
  const quietest = (): readonly S[] => closableSessions(sessions.open(), { nowMs: nowMs(), isHeld });
  // Evaluated again after each closing: while one ends, a client may have returned to the next.
  for (;;) {
    const session = quietest().find(({ lastActivityMs }) => nowMs() - lastActivityMs > limits.ttlMs);
    if (session === undefined) break;
    await end(session, 'idle');
  }
  const { minAvailableMb, most } = limits;
  while (minAvailableMb !== null && availableMb() < minAvailableMb) {
    const [session] = quietest();
    if (session === undefined) break;
    await end(session, 'memory');
  }
  while ([...sessions.open()].length + opening() > most) {
    const [session] = quietest();
    if (session === undefined) break;
    await end(session, 'session_limit');
  }
}
