import { freemem } from 'node:os';
import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import { closable, type LimitedSession } from './sessionLimits.ts';

const MIB = 1024 * 1024;

export interface Limits {
  /** Quiet for longer: closed. */
  readonly ttlMs: number;
  /** Open at once. */
  readonly most: number;
  /** Of the machine's memory, in MiB; null: not looked at. */
  readonly minAvailableMb: number | null;
}

/** How limits see and end sessions. */
export interface LimitedSessions<S extends LimitedSession> {
  readonly open: () => Iterable<S>;
  readonly end: (session: S, reason: SessionClosedReason) => Promise<void>;
  /** Under a hold, which keeps a session whatever the limits say. */
  readonly isHeld?: (session: S) => boolean;
  readonly nowMs?: () => number;
  /** MiB of memory that programs may still take. */
  readonly availableMb?: () => number;
}

/**
 * Closes what the limits do not allow (live-protocol 7): sessions that were quiet for too long; the least
 * recently used while the machine is short of memory; and the least recently used of more than `most`, counting
 * `opening` that are on their way. What may not be closed stays, and nobody is refused for it.
 */
export async function makeRoom<S extends LimitedSession>(
  sessions: LimitedSessions<S>,
  { limits, opening }: { readonly limits: Limits; readonly opening: () => number },
): Promise<void> {
  const { end, isHeld = () => false, nowMs = Date.now, availableMb = () => freemem() / MIB } = sessions;
  const quietest = (): readonly S[] => closable(sessions.open(), { nowMs: nowMs(), isHeld });
  // Looked at anew each time: while one ends, somebody may have come back to the next.
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
