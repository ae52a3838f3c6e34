/** The record of a notebook's actions that can be undone, in `.svc/undo.json`. */

import * as z from 'zod';
import {
  type UndoDelta,
  type UndoEntry,
  type UndoStack,
  undoEntry,
  undoStack,
} from '../../../src-shared/wire/undo.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownName, ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../folder/record.ts';

/**
 * The actions on the notebook that can be undone, from all of its windows (ADR 0008). Losing the record does not harm
 * the notebook; whether an entry still applies is checked when it is undone.
 */
export interface UndoRecord {
  /**
   * `problem`: a message that a damaged record was set aside. `forgotten`: how many entries that could be undone were
   * removed by the limits.
   */
  load(): Promise<{
    readonly stack: UndoStack;
    readonly forgotten: number;
    readonly problem: string | null;
  }>;
  /** Applies the changes of one window, if any. @returns how many entries can be undone after a restart */
  keep(delta: UndoDelta): Promise<number>;
}

/** Limits for the entries of each side, and for the characters of both; the oldest are removed first. */
export const MAX_KEPT_ENTRIES = 200;
export const MAX_KEPT_CHARACTERS = 2_000_000;

/**
 * An entry with its place in the order of arrival: it gets `n` when it first arrives, and keeps it through undo and
 * redo.
 */
const numberedEntry = undoEntry.extend({ n: z.number().int() });
type Placed = z.infer<typeof numberedEntry>;
const storedStack = z.object({
  done: z.array(numberedEntry),
  undone: z.array(numberedEntry),
  forgotten: z.number().int().default(0),
});
type Kept = z.infer<typeof storedStack>;

/** @param dir the notebook's folder */
export function createUndoRecord(dir: NotebookFolder): UndoRecord {
  const inTurn = createSerialRunner();
  const load = async (): Promise<{ readonly stack: Kept; readonly problem: string | null }> => {
    const { value, isDamaged } = await loadRecord(ownPlace(dir, 'undo'), z.union([storedStack, undoStack]));
    const problem = isDamaged
      ? `Earlier changes cannot be undone because their record is damaged. It was renamed to ${ownName('undo')}.bad.`
      : null;
    // Of a damaged record at least one entry is lost.
    const empty = { done: [], undone: [], forgotten: isDamaged ? 1 : 0 };
    return { stack: value === null ? empty : withPlaces(value), problem };
  };
  return {
    load: () =>
      inTurn(async () => {
        const { stack, problem } = await load();
        return {
          stack: { done: stack.done.map(withoutPlace), undone: stack.undone.map(withoutPlace) },
          forgotten: stack.forgotten,
          problem,
        };
      }),
    keep: (delta) =>
      inTurn(async () => {
        const before = (await load()).stack;
        if (isEmptyDelta(delta)) return before.done.length;
        const stack = newestOf(mergeUndo(before, delta));
        await saveRecord(ownPlace(dir, 'undo'), stack);
        return stack.done.length;
      }),
  };
}

export function isEmptyDelta({ done, undone, gone }: UndoDelta): boolean {
  return done.length + undone.length + gone.length === 0;
}

/** An entry without its number, which is internal to this record. */
function withoutPlace({ n: _place, ...entry }: Placed): UndoEntry {
  return entry;
}

/** Adds numbers and ids to a record of an older version. */
function withPlaces({ done, undone, ...more }: Kept | UndoStack): Kept {
  const isPlaced = (entry: UndoEntry | Placed): entry is Placed => 'n' in entry;
  const place = (entries: readonly (UndoEntry | Placed)[], nOf: (at: number) => number): Placed[] =>
    entries.map((entry, at) => {
      const n = isPlaced(entry) ? entry.n : nOf(at);
      return { ...entry, n, id: entry.id === '' ? `old${n}` : entry.id };
    });
  return {
    done: place(done, (at) => at),
    undone: place(undone, (at) => done.length + undone.length - 1 - at),
    forgotten: 'forgotten' in more ? more.forgotten : 0,
  };
}

/**
 * The notebook's stack after one window's changes: new entries are appended, undone or redone ones change
 * sides and keep their order among all entries, and dropped ones are removed. Applying the same changes twice
 * has no further effect.
 */
function mergeUndo(stack: Kept, { done, undone, gone }: UndoDelta): Kept {
  const places = new Map([...stack.done, ...stack.undone].map(({ id, n }) => [id, n]));
  let next = Math.max(-1, ...places.values()) + 1;
  const placeOf = (entry: UndoEntry): Placed => {
    const n = places.get(entry.id) ?? next++;
    return { ...entry, n };
  };
  // In the order of the actions: the last undone entry is the earliest action.
  const came = [...done.map(placeOf), ...undone.toReversed().map(placeOf)];
  const moved = new Set([...came.map(({ id }) => id), ...gone]);
  const stays = ({ id }: Placed): boolean => !moved.has(id);
  return {
    done: [...stack.done.filter(stays), ...came.slice(0, done.length)].sort((a, b) => a.n - b.n),
    undone: [...stack.undone.filter(stays), ...came.slice(done.length)].sort((a, b) => b.n - a.n),
    forgotten: stack.forgotten,
  };
}

function newestOf({ done, undone, forgotten }: Kept): Kept {
  let room = MAX_KEPT_CHARACTERS;
  const fitting = (entries: readonly Placed[]): Placed[] => {
    const fit: Placed[] = [];
    for (const entry of entries.slice(-MAX_KEPT_ENTRIES).reverse()) {
      room -= JSON.stringify(entry.changes).length;
      // An entry below a removed one could not be reached.
      if (room < 0) break;
      fit.unshift(entry);
    }
    return fit;
  };
  const newest = { done: fitting(done), undone: fitting(undone) };
  return { ...newest, forgotten: forgotten + done.length - newest.done.length };
}
