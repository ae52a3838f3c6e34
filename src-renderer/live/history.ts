/**
 * The undo stack of the notebook as pure data: the changes of this window, in an order that can be undone and redone.
 * It determines what an undo has to do; `live/undo.ts` checks whether that still applies and does it. The stack must
 * not store what the server stores: a deleted cell's source, tests and results stay on the server, and `restore` brings
 * them back.
 */

import { inverseAppEdit, sameAppEdit } from '../../src-shared/notebook/appEdit.ts';
import type { AppEdit, AppLayout } from '../../src-shared/wire/appLayout.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';
import type { UndoEntry } from '../../src-shared/wire/undo.ts';
import { EDITING_WORDS } from '../words/editing.ts';

/** One change of the notebook that this window made. `deleted` is the opposite of `added`. */
export type Change =
  | { readonly kind: 'added'; readonly cellId: string }
  | { readonly kind: 'deleted'; readonly cellId: string }
  | { readonly kind: 'source'; readonly cellId: string; readonly before: string; readonly after: string }
  | { readonly kind: 'order'; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly kind: 'name'; readonly before: string; readonly after: string }
  | { readonly kind: 'mounts'; readonly before: readonly Mount[]; readonly after: readonly Mount[] }
  /** Values of the app view's layout. */
  | { readonly kind: 'app'; readonly before: AppEdit; readonly after: AppEdit }
  /** Whether the connection that was declared for a SQL cell exists; undo keeps it if something else uses it. */
  | {
      readonly kind: 'connection';
      readonly name: string;
      readonly of?: { readonly driver: 'sqlite' | 'duckdb'; readonly path: string } | undefined;
      readonly before: boolean;
      readonly after: boolean;
    }
  /** Which variant of a group is active, and whether one runs or all. */
  | {
      readonly kind: 'variant';
      readonly group: string;
      readonly before: VariantState;
      readonly after: VariantState;
    };

export interface VariantState {
  readonly active: string;
  readonly mode: 'switch' | 'sweep';
}

/** The action that a person took. */
export type UndoableAction =
  | 'add'
  | 'delete'
  | 'move'
  | 'edit'
  | 'rename'
  | 'language'
  | 'merge'
  | 'split'
  | 'cut'
  | 'paste'
  | 'replace'
  | 'fix'
  | 'format'
  | 'mounts'
  | 'variant'
  | 'setup'
  | 'restore'
  | 'outside'
  | 'assistant'
  | 'revert'
  | 'rewind'
  | 'layout';

/** Whether this program knows an action of the record, which a newer version may have written. */
export function isUndoableAction(deed: string): deed is UndoableAction {
  return Object.hasOwn(EDITING_WORDS.deed, deed);
}

/** One undo step: its changes, in the order they happened. */
export interface Entry {
  /** Unique in every window of the notebook; typing that continues the entry keeps it. */
  readonly id: string;
  readonly deed: UndoableAction;
  readonly changes: readonly Change[];
  /** Epoch ms of the newest change: typing continues the same entry until a pause. */
  readonly atMs: number;
  /** For a change by an agent outside the program: the agent's name, and when the change was made. */
  readonly origin?: UndoEntry['origin'];
}

export interface History {
  /** Oldest first; the last one is undone next. */
  readonly done: readonly Entry[];
  /** Undone entries; the last one is redone next. */
  readonly undone: readonly Entry[];
}

export const emptyHistory: History = { done: [], undone: [] };

/** After a pause of this length, in ms, typing begins a new entry. */
export const PAUSE_MS = 1_000;
/** The most entries stored; the oldest are dropped. */
export const MAX_ENTRIES = 500;

/** Adds an entry. Undone entries can then no longer be redone, because the notebook has changed. */
export function withNewEntry(history: History, entry: Entry): History {
  if (entry.changes.every(hasNoEffect)) return history;
  return { done: [...history.done, entry].slice(-MAX_ENTRIES), undone: [] };
}

/**
 * Adds one state of a cell's text. Typing without a pause is one entry per cell; typing back to the text at the start
 * of the entry (as the editor's own undo does) removes the entry again.
 */
export function withTyping(
  history: History,
  edit: {
    readonly id: string;
    readonly cellId: string;
    readonly before: string;
    readonly after: string;
    readonly atMs: number;
  },
): History {
  const { id, cellId, before, after, atMs } = edit;
  const last = history.done.at(-1);
  const [change] = last?.deed === 'edit' && last.changes.length === 1 ? last.changes : [];
  const goesOn = change?.kind === 'source' && change.cellId === cellId && change.after === before;
  if (!goesOn || last === undefined) {
    return withNewEntry(history, {
      id,
      deed: 'edit',
      changes: [{ kind: 'source', cellId, before, after }],
      atMs,
    });
  }
  const earlier = history.done.slice(0, -1);
  if (after === change.before) return { done: earlier, undone: [] };
  if (atMs - last.atMs > PAUSE_MS) {
    return withNewEntry(history, {
      id,
      deed: 'edit',
      changes: [{ kind: 'source', cellId, before, after }],
      atMs,
    });
  }
  return { done: [...earlier, { ...last, changes: [{ ...change, after }], atMs }], undone: [] };
}

/** The changes that undo an entry, in the order in which they must be made. */
export function inverseOf(entry: Pick<Entry, 'changes'>): readonly Change[] {
  return [...entry.changes].reverse().map(inverse);
}

function inverse(change: Change): Change {
  switch (change.kind) {
    case 'added':
      return { kind: 'deleted', cellId: change.cellId };
    case 'deleted':
      return { kind: 'added', cellId: change.cellId };
    default:
      return { ...change, before: change.after, after: change.before } as Change; // the same kind, with before and after exchanged
  }
}

/** The entry to undo, and the history after success (`kept`) or when it no longer applies (`dropped`). */
export interface UndoStep {
  readonly entry: Entry;
  readonly changes: readonly Change[];
  readonly kept: History;
  readonly dropped: History;
}

export function undoOf(history: History): UndoStep | null {
  const entry = history.done.at(-1);
  if (entry === undefined) return null;
  const remaining = history.done.slice(0, -1);
  return {
    entry,
    changes: inverseOf(entry),
    // Later typing must not be added to the entry below.
    kept: { done: withClosedTyping(remaining), undone: [...history.undone, entry] },
    dropped: { done: withClosedTyping(remaining), undone: history.undone },
  };
}

/** The undo of one entry anywhere in the stack; null once it has been undone or dropped. */
export function undoOfEntry(history: History, id: string): UndoStep | null {
  const entry = history.done.find((one) => one.id === id);
  if (entry === undefined) return null;
  const remaining = history.done.filter((one) => one !== entry);
  return {
    entry,
    changes: inverseOf(entry),
    kept: { done: withClosedTyping(remaining), undone: [...history.undone, entry] },
    dropped: { done: withClosedTyping(remaining), undone: history.undone },
  };
}

export function redoOf(history: History): UndoStep | null {
  const entry = history.undone.at(-1);
  if (entry === undefined) return null;
  const undone = history.undone.slice(0, -1);
  return {
    entry,
    changes: entry.changes,
    kept: { done: withClosedTyping([...history.done, entry]), undone },
    dropped: { done: history.done, undone },
  };
}

/** The entries, with the newest closed: later typing begins an entry of its own. */
export function withClosedTyping(done: readonly Entry[]): readonly Entry[] {
  const last = done.at(-1);
  return last === undefined || last.atMs === 0 ? done : [...done.slice(0, -1), { ...last, atMs: 0 }];
}

/** The state of the notebook that a change is checked against. */
export interface NotebookContent {
  readonly name: string | null;
  readonly mounts: readonly Mount[];
  readonly app: AppLayout;
  readonly order: readonly string[];
  /** The text a person sees; null if the cell does not exist. */
  readonly sourceOf: (cellId: string) => string | null;
  /** Null if the group does not exist. */
  readonly chosenOf: (group: string) => VariantState | null;
}

/** Why a change no longer applies: another person changed the same thing. */
export type Conflict = 'gone' | 'there' | 'changed';

/** Why a change cannot be made in the current notebook; null if it can. */
export function conflictOf(ground: NotebookContent, change: Change): Conflict | null {
  switch (change.kind) {
    case 'added':
      return ground.order.includes(change.cellId) ? 'there' : null;
    case 'deleted':
      return ground.order.includes(change.cellId) ? null : 'gone';
    case 'source': {
      const now = ground.sourceOf(change.cellId);
      if (now === null) return 'gone';
      return now === change.before ? null : 'changed';
    }
    case 'name':
      return ground.name === change.before ? null : 'changed';
    case 'mounts':
      return sameMounts(ground.mounts, change.before) ? null : 'changed';
    case 'app':
      return sameAppEdit(inverseAppEdit(ground.app, change.before), change.before) ? null : 'changed';
    case 'variant': {
      const now = ground.chosenOf(change.group);
      if (now === null) return 'gone';
      return sameChoice(now, change.before) ? null : 'changed';
    }
    case 'order':
      return orderAfter(ground.order, change) === null ? 'changed' : null;
    case 'connection':
      return null;
  }
}

/**
 * The changes of an entry that still have to be made; those whose result is already there are left out. An assistant's
 * job that ended in a crash may have recorded a change that it did not make.
 */
export function remainingChanges(ground: NotebookContent, changes: readonly Change[]): readonly Change[] {
  const remaining: Change[] = [];
  const texts = new Map<string, string>();
  let { order } = ground;
  for (const change of changes) {
    if (change.kind === 'source') {
      if ((texts.get(change.cellId) ?? ground.sourceOf(change.cellId)) === change.after) continue;
      texts.set(change.cellId, change.after);
    } else if (change.kind === 'added') {
      if (order.includes(change.cellId)) continue;
      order = [...order, change.cellId];
    } else if (change.kind === 'deleted') {
      if (!order.includes(change.cellId)) continue;
      order = order.filter((id) => id !== change.cellId);
    }
    remaining.push(change);
  }
  return remaining;
}

/** The first obstacle to making all of these changes in turn, or null. */
export function firstConflict(ground: NotebookContent, changes: readonly Change[]): Conflict | null {
  let { order } = ground;
  const texts = new Map<string, string>();
  const sourceOf = (id: string): string | null => texts.get(id) ?? ground.sourceOf(id);
  for (const change of changes) {
    const obstacle = conflictOf({ ...ground, order, sourceOf }, change);
    if (obstacle !== null) return obstacle;
    if (change.kind === 'source') texts.set(change.cellId, change.after);
    if (change.kind === 'added') order = [...order, change.cellId];
    else if (change.kind === 'deleted') order = order.filter((id) => id !== change.cellId);
    else if (change.kind === 'order') order = orderAfter(order, change) ?? order;
  }
  return null;
}

/**
 * The history with an entry that the server made: a new one, or one with other changes than before. An entry without
 * changes is removed; one that was undone here stays unchanged.
 */
export function withServerEntry(history: History, entry: Entry): History {
  if (history.undone.some(({ id }) => id === entry.id)) return history;
  const isKnown = history.done.some(({ id }) => id === entry.id);
  if (!isKnown) return entry.changes.length === 0 ? history : withNewEntry(history, entry);
  const doneEntries = history.done.map((one) => (one.id === entry.id ? entry : one));
  return { ...history, done: doneEntries.filter(({ changes }) => changes.length > 0) };
}

/** The history without an entry that turned out not to apply. */
export function withoutEntry(history: History, entry: Entry): History {
  const others = (entries: readonly Entry[]): readonly Entry[] =>
    entries.filter((one) => one.changes !== entry.changes);
  return { done: others(history.done), undone: others(history.undone) };
}

/**
 * The order after a move. Cells added or deleted since keep their place; null if another person has moved the same
 * cells since.
 */
export function orderAfter(
  now: readonly string[],
  change: { readonly before: readonly string[]; readonly after: readonly string[] },
): readonly string[] | null {
  const here = new Set(now);
  const before = change.before.filter((id) => here.has(id));
  const earlierIds = new Set(before);
  if (
    !sameOrder(
      before,
      now.filter((id) => earlierIds.has(id)),
    )
  )
    return null;
  const after = change.after.filter((id) => earlierIds.has(id));
  // Cells added or deleted since the move keep their places.
  let at = 0;
  return now.map((id) => (earlierIds.has(id) ? (after[at++] ?? id) : id));
}

function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

function sameChoice(a: VariantState, b: VariantState): boolean {
  return a.active === b.active && a.mode === b.mode;
}

function hasNoEffect(change: Change): boolean {
  if (change.kind === 'added' || change.kind === 'deleted') return false;
  if (change.kind === 'order') return sameOrder(change.before, change.after);
  if (change.kind === 'app') return sameAppEdit(change.before, change.after);
  if (change.kind === 'mounts') return sameMounts(change.before, change.after);
  if (change.kind === 'variant') return sameChoice(change.before, change.after);
  return change.before === change.after;
}

function sameMounts(a: readonly Mount[], b: readonly Mount[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
