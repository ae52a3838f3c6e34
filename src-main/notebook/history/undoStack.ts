import * as z from 'zod';
import {
  type UndoDelta,
  type UndoEntry,
  type UndoStack,
  undoEntry,
  undoStack,
} from '../../../src-shared/wire/undo.ts';
import { createInTurn } from '../../lib/inTurn.ts';
import { loadSidecar, saveSidecar } from '../kept/sidecarFile.ts';

/**
 * `.svc/undo.json`: what was done to the notebook and can be undone, by all of its windows (ADR 0008). It may be lost
 * without harm to the notebook; whether an entry still applies is asked of the notebook when it is undone.
 */
export interface UndoRecord {
  /** `problem` says in words that a damaged record was set aside. */
  load(): Promise<{ readonly stack: UndoStack; readonly problem: string | null }>;
  /** Takes in what one window changed; @returns how many entries can be undone after a restart */
  keep(delta: UndoDelta): Promise<number>;
}

/** Entries kept of each side, and the characters of both; the oldest go first. */
export const MAX_KEPT_ENTRIES = 200;
export const MAX_KEPT_CHARACTERS = 2_000_000;

const NAME = 'undo.json';

/** Which entry came when: `n` is given at its first arrival, and stays when it is undone and redone. */
const placed = undoEntry.extend({ n: z.number().int() });
type Placed = z.infer<typeof placed>;
const kept = z.object({ done: z.array(placed), undone: z.array(placed) });
type Kept = z.infer<typeof kept>;

/** @param dir the notebook's folder */
export function createUndoRecord(dir: string): UndoRecord {
  const inTurn = createInTurn();
  const load = async (): Promise<{ readonly stack: Kept; readonly problem: string | null }> => {
    const { value, isDamaged } = await loadSidecar(dir, NAME, z.union([kept, undoStack]));
    const problem = isDamaged
      ? `Earlier changes cannot be undone because their record is damaged. It was renamed to .svc/${NAME}.bad.`
      : null;
    return { stack: value === null ? { done: [], undone: [] } : withPlaces(value), problem };
  };
  return {
    load: () =>
      inTurn(async () => {
        const { stack, problem } = await load();
        return {
          stack: { done: stack.done.map(withoutPlace), undone: stack.undone.map(withoutPlace) },
          problem,
        };
      }),
    keep: (delta) =>
      inTurn(async () => {
        const stack = newestOf(mergeUndo((await load()).stack, delta));
        await saveSidecar(dir, NAME, stack);
        return stack.done.length;
      }),
  };
}

/** What is told of an entry: its place is this record's own. */
function withoutPlace({ n: _place, ...entry }: Placed): UndoEntry {
  return entry;
}

/** A record of a program that gave no places and no ids. */
function withPlaces({ done, undone }: Kept | UndoStack): Kept {
  const isPlaced = (entry: UndoEntry | Placed): entry is Placed => 'n' in entry;
  const place = (entries: readonly (UndoEntry | Placed)[], nOf: (at: number) => number): Placed[] =>
    entries.map((entry, at) => {
      const n = isPlaced(entry) ? entry.n : nOf(at);
      return { ...entry, n, id: entry.id === '' ? `old${n}` : entry.id };
    });
  return {
    done: place(done, (at) => at),
    undone: place(undone, (at) => done.length + undone.length - 1 - at),
  };
}

/**
 * The notebook's stack after one window's changes: its new entries come last, those it walked over change sides and
 * keep their place among everybody's, and what it has dropped goes. The same changes twice change nothing.
 */
export function mergeUndo(stack: Kept, { done, undone, gone }: UndoDelta): Kept {
  const places = new Map([...stack.done, ...stack.undone].map(({ id, n }) => [id, n]));
  let next = Math.max(-1, ...places.values()) + 1;
  const placeOf = (entry: UndoEntry): Placed => {
    const n = places.get(entry.id) ?? next++;
    return { ...entry, n };
  };
  // In the order they were done: of those undone the last one is the first.
  const came = [...done.map(placeOf), ...undone.toReversed().map(placeOf)];
  const moved = new Set([...came.map(({ id }) => id), ...gone]);
  const stays = ({ id }: Placed): boolean => !moved.has(id);
  return {
    done: [...stack.done.filter(stays), ...came.slice(0, done.length)].sort((a, b) => a.n - b.n),
    undone: [...stack.undone.filter(stays), ...came.slice(done.length)].sort((a, b) => b.n - a.n),
  };
}

function newestOf({ done, undone }: Kept): Kept {
  let room = MAX_KEPT_CHARACTERS;
  const fitting = (entries: readonly Placed[]): Placed[] => {
    const fit: Placed[] = [];
    for (const entry of entries.slice(-MAX_KEPT_ENTRIES).reverse()) {
      room -= JSON.stringify(entry.changes).length;
      // An entry below one that is gone could not be reached.
      if (room < 0) break;
      fit.unshift(entry);
    }
    return fit;
  };
  return { done: fitting(done), undone: fitting(undone) };
}
