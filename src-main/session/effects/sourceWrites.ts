/** Queues the session's edits of cell sources, so that only the newest text of a cell is written. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { RunSerially } from '../../lib/serialRunner.ts';
import type { Effect, SessionFact } from '../state/events.ts';

export type WriteSource = Extract<Effect, { type: 'write_source' }>;
export type SourceWritten = Extract<SessionFact, { type: 'source_written' }>;

/** Edits of one cell that one write puts on disk. */
export interface SourceBatch {
  /** Oldest first. */
  readonly superseded: readonly WriteSource[];
  /** The edit whose text is written. */
  readonly newest: WriteSource;
}

interface Turn {
  batch: SourceBatch;
  readonly done: Promise<SourceWritten>;
}

/**
 * Edits waiting for the disk. A waiting edit is superseded by a newer one of the same cell, which is written in
 * its place, so that typing never waits for outdated texts. Each edit gets its own reply once its text or a
 * newer one is on disk.
 */
export function createSourceWrites(
  inTurn: RunSerially,
  save: (batch: SourceBatch) => Promise<SourceWritten>,
): (effect: WriteSource) => Promise<SessionFact> {
  const waiting = new Map<CellId, Turn>();
  return async (effect) => {
    const { cellId } = effect;
    const before = waiting.get(cellId);
    if (before !== undefined && isAlike(effect, before.batch.newest)) {
      before.batch = { superseded: [...before.batch.superseded, before.batch.newest], newest: effect };
      return factFor(effect, await before.done);
    }
    const saving = inTurn(() => {
      if (waiting.get(cellId) === turn) waiting.delete(cellId);
      return save(turn.batch);
    });
    const turn: Turn = { batch: { superseded: [], newest: effect }, done: saving };
    waiting.set(cellId, turn);
    return factFor(effect, await saving);
  };
}

/** Whether writing only the newer text has the same result as writing both: same author, same base. */
function isAlike(newer: WriteSource, older: WriteSource): boolean {
  return newer.author === older.author && newer.force === older.force && newer.outside === older.outside;
}

/** The fact for one of several edits that one write covered. */
function factFor({ ticket, origin, source }: WriteSource, fact: SourceWritten): SourceWritten {
  if (ticket === fact.ticket) return fact;
  const { refused } = fact;
  const own = { ...fact, ticket, origin, source, merged: null };
  if (refused === null || refused.context['source'] === undefined) return own;
  return { ...own, refused: new AppError(refused.code, refused.message, { ...refused.context, source }) };
}
