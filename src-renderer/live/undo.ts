/**
 * Performs undo and redo of this window: takes the next entry of the history, checks it against the current notebook,
 * and applies it. An entry that no longer applies (another person made a change) is skipped with a message; so is one
 * that the server refuses. Undos run one at a time, in the order of the key presses. What an undo changes is decided in
 * `history.ts`.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { entriesSince, undoMarkOf } from '../../src-shared/notebook/undoMark.ts';
import type { AppEdit } from '../../src-shared/wire/appLayout.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { UndoMark } from '../../src-shared/wire/undo.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import { appLayoutOf } from './appLayout.ts';
import { applicableChange } from './assistant/checkpoints.ts';
import type {
  Change,
  Conflict,
  Entry,
  History,
  NotebookContent,
  UndoableAction,
  UndoStep,
} from './history.ts';
import {
  emptyHistory,
  firstConflict,
  isUndoableAction,
  MAX_ENTRIES,
  orderAfter,
  redoOf,
  remainingChanges,
  undoOf,
  undoOfEntry,
  withClosedTyping,
  withNewEntry,
  withoutEntry,
  withServerEntry,
  withTyping,
} from './history.ts';
import { RestError } from './rest.ts';
import type { VariantChoice } from './structure.ts';

/** What undo needs to apply changes; the server's refusals arrive as RestError. */
interface UndoPort {
  readonly view: () => NotebookView;
  readonly set: (change: Partial<NotebookView>) => void;
  readonly now: () => number;
  readonly restore: (cellId: string) => Promise<void>;
  readonly remove: (cellId: string) => Promise<void>;
  readonly reorder: (order: readonly string[]) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  readonly setMounts: (mounts: readonly Mount[]) => Promise<void>;
  readonly setApp: (edit: AppEdit) => Promise<void>;
  readonly declareConnection: (change: {
    readonly name: string;
    readonly after: boolean;
  }) => Promise<unknown>;
  readonly chooseVariant: (choice: VariantChoice) => Promise<void>;
  /** Puts a text into a cell, without recording it. */
  readonly write: (cellId: string, text: string) => void;
  readonly say: (words: string) => void;
  /** Called when the stack has changed, so that the next undo affects something else. */
  readonly moved: () => void;
}

export class Undo {
  /** The stack, for components that show it. */
  readonly store: StoreApi<History> = createStore<History>(() => emptyHistory);
  readonly #port: UndoPort;
  /** True once the actions from before this page was opened have been read. */
  #isBegun = false;
  /** How many entries the record's limits had removed from it when it was read. */
  #forgotten = 0;
  #turn: Promise<void> = Promise.resolve();
  /**
   * The actions that the server has not answered yet, newest last, without those that an undo already waits for.
   * False: the server refused all of the action, so there is nothing to undo.
   */
  #pending: Promise<boolean>[] = [];
  /** Entry ids: a random part per window, then a number. */
  readonly #window = Math.random().toString(36).slice(2, 12);
  #made = 0;
  readonly #listeners = new Set<(entry: Entry) => void>();

  constructor(port: UndoPort) {
    this.#port = port;
  }

  get history(): History {
    return this.#history;
  }

  get #history(): History {
    return this.store.getState();
  }

  /** The current position in the stack, to go back to later; null while earlier actions are still being read. */
  mark(): UndoMark | null {
    if (!this.#isBegun) return null;
    // Typing after the mark becomes an entry of its own.
    this.#keep({ ...this.#history, done: withClosedTyping(this.#history.done) });
    return undoMarkOf(this.#history.done, this.#forgotten);
  }

  /** The position just before an entry that is done. */
  markBefore(id: string): UndoMark {
    const { done: doneEntries } = this.#history;
    const at = doneEntries.findIndex((entry) => entry.id === id);
    return undoMarkOf(doneEntries.slice(0, at), this.#forgotten);
  }

  /** The entries after a mark; null if they are no longer known. */
  since(mark: UndoMark): readonly Entry[] | null {
    return entriesSince(mark, this.#history.done, this.#forgotten);
  }

  /** Puts the actions from before this page was opened below those made since. */
  begin(before: History, forgotten: number): void {
    this.#isBegun = true;
    this.#forgotten = forgotten;
    const { done: doneEntries, undone } = this.#history;
    const isFirst = doneEntries.length + undone.length === 0;
    // An agent's change may have arrived before the record was read.
    const here = new Set([...doneEntries, ...undone].map(({ id }) => id));
    this.#keep({
      done: [...before.done.filter(({ id }) => !here.has(id)), ...doneEntries].slice(-MAX_ENTRIES),
      undone: isFirst ? before.undone : undone,
    });
  }

  /** Records an action whose changes have been made. */
  note(deed: UndoableAction, changes: readonly Change[]): void {
    this.#keep(withNewEntry(this.#history, { id: this.#newId(), deed, changes, atMs: this.#port.now() }));
  }

  /** Adds the actions of an agent: a person undoes them like their own. */
  heard(frames: readonly ReceivedFrame[]): void {
    for (const frame of frames) {
      if (frame.type !== 'undo_recorded') continue;
      const { id, deed, changes, origin } = frame.payload;
      if (!isUndoableAction(deed)) continue;
      const entry = { id, deed, changes, atMs: 0, origin };
      this.#keep(withServerEntry(this.#history, entry));
      for (const listener of this.#listeners) listener(entry);
    }
  }

  /** Calls the listener at each change of an agent. Returns a function that unsubscribes. */
  onAgentChange(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records a change that a person typed into a cell. */
  typed(cellId: string, before: string, after: string): void {
    this.#keep(
      withTyping(this.#history, { id: this.#newId(), cellId, before, after, atMs: this.#port.now() }),
    );
  }

  /**
   * Performs an action and records the changes that succeeded. An undo meanwhile waits and applies to this action,
   * never to the one before; it is available even if nothing else can be undone.
   * @param refuse receives the server's reason for a refusal
   * @returns the number of changes
   */
  perform(
    deed: UndoableAction,
    work: (changes: Change[]) => Promise<void>,
    refuse: (reason: string) => void,
  ): Promise<number> {
    const { view, set } = this.#port;
    set({ pendingActions: view().pendingActions + 1 });
    let isRefused = false;
    const refused = (reason: string): void => {
      isRefused = true;
      refuse(reason);
    };
    const changeCount = this.#perform(deed, work, refused).finally(() =>
      set({ pendingActions: view().pendingActions - 1 }),
    );
    this.#turn = Promise.allSettled([this.#turn, changeCount]).then(() => undefined);
    const canUndo = changeCount.then(
      (count) => count > 0 || !isRefused,
      () => false,
    );
    this.#pending.push(canUndo);
    void canUndo.then(() => {
      this.#pending = this.#pending.filter((pending) => pending !== canUndo);
    });
    return changeCount;
  }

  async #perform(
    deed: UndoableAction,
    work: (changes: Change[]) => Promise<void>,
    refuse: (reason: string) => void,
  ): Promise<number> {
    const changes: Change[] = [];
    try {
      await work(changes);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      refuse(error.message);
    }
    if (changes.length > 0) this.note(deed, changes);
    return changes.length;
  }

  undo(): Promise<void> {
    const canUndo = this.#pending.pop();
    if (canUndo === undefined) return this.#inTurn(undoOf, EDITING_WORDS.leftOut);
    return this.#inTurn(undoOf, EDITING_WORDS.leftOut, () => canUndo);
  }

  /** Undoes one action even if others followed it; an action that no longer applies is left unchanged. */
  undoEntry(id: string): Promise<void> {
    return this.#inTurn((history) => undoOfEntry(history, id), EDITING_WORDS.leftOut);
  }

  /**
   * Makes changes that reverse others, as an action of its own. Those that no longer apply are left out.
   * @returns how many were left out
   */
  revert(changes: readonly Change[], deed: 'revert' | 'rewind'): Promise<number> {
    const reversal = this.#turn.then(() => this.#revert(changes, deed));
    this.#turn = reversal.then(() => undefined);
    return reversal;
  }

  async #revert(changes: readonly Change[], deed: 'revert' | 'rewind'): Promise<number> {
    const madeChanges: Change[] = [];
    try {
      for (const change of changes) {
        const now = applicableChange(contentOf(this.#port.view()), change, { merges: deed === 'revert' });
        if (now === null) continue;
        await this.#apply(now);
        madeChanges.push(now);
      }
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#port.say(error.message);
    }
    if (madeChanges.length > 0) this.note(deed, madeChanges);
    this.#show(madeChanges);
    return changes.length - madeChanges.length;
  }

  redo(): Promise<void> {
    return this.#inTurn(redoOf, EDITING_WORDS.leftOutRedo);
  }

  #inTurn(
    next: (history: History) => UndoStep | null,
    sorry: (what: string, why: string) => string,
    isNeeded: () => Promise<boolean> = async () => true,
  ): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (await isNeeded()) await this.#walk(next, sorry);
    });
    return this.#turn;
  }

  async #walk(
    next: (history: History) => UndoStep | null,
    sorry: (what: string, why: string) => string,
  ): Promise<void> {
    const walk = next(this.#history);
    if (walk === null) return;
    const what = EDITING_WORDS.deed[walk.entry.deed];
    const ground = contentOf(this.#port.view());
    const remaining = walk.entry.deed === 'assistant' ? remainingChanges(ground, walk.changes) : walk.changes;
    // If nothing remains, all changes are checked, so that the message gives the reason.
    const changes = remaining.length === 0 ? walk.changes : remaining;
    const obstacle: Conflict | null = firstConflict(ground, changes);
    if (obstacle !== null) {
      this.#keep(walk.dropped);
      this.#port.say(sorry(what, EDITING_WORDS.obstacle[obstacle]));
      return;
    }
    // The history is updated before the changes are made: typing meanwhile is then recorded on top of it.
    this.#keep(walk.kept);
    try {
      for (const change of changes) await this.#apply(change);
      this.#show(changes);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#keep(withoutEntry(this.#history, walk.entry));
      this.#port.say(sorry(what, error.message));
    }
  }

  async #apply(change: Change): Promise<void> {
    const port = this.#port;
    switch (change.kind) {
      case 'added':
        return port.restore(change.cellId);
      case 'deleted':
        return port.remove(change.cellId);
      case 'name':
        return port.rename(change.after);
      case 'mounts':
        return port.setMounts(change.after);
      case 'app':
        return port.setApp(change.after);
      case 'connection':
        await port.declareConnection(change);
        return;
      case 'order':
        return port.reorder(orderAfter(port.view().model.order, change) ?? change.after);
      case 'variant':
        return port.chooseVariant({ group: change.group, ...change.after });
      case 'source':
        port.write(change.cellId, change.after);
    }
  }

  /** Moves the focus to the first changed cell, unless a changed cell already has it. */
  #show(changes: readonly Change[]): void {
    const { model, focusedId, mode } = this.#port.view();
    const ids = changes.flatMap((change) =>
      change.kind === 'added' || change.kind === 'source' ? [change.cellId] : [],
    );
    const presentIds = ids.filter((id) => model.cells[id] !== undefined);
    const first = presentIds[0];
    if (first === undefined || presentIds.includes(focusedId ?? '')) return;
    this.#port.set({ focusedId: first, mode: focusedId === first ? mode : 'command', anchorId: null });
  }

  #newId(): string {
    this.#made += 1;
    return `${this.#window}-${this.#made}`;
  }

  #keep(history: History): void {
    this.store.setState(history, true);
    this.#port.moved();
    const deedOf = (entry: Entry | undefined): UndoableAction | null => entry?.deed ?? null;
    const [undo, redo] = [deedOf(history.done.at(-1)), deedOf(history.undone.at(-1))];
    const view = this.#port.view();
    if (view.undo !== undo || view.redo !== redo) this.#port.set({ undo, redo });
  }
}

/** The content of the notebook against which changes are checked. */
export function contentOf(view: NotebookView): NotebookContent {
  return {
    name: view.model.meta?.name ?? null,
    mounts: view.model.meta?.mounts ?? [],
    app: appLayoutOf(view),
    order: view.model.order,
    sourceOf: (id) => (view.model.cells[id] === undefined ? null : shownSource(view, id)),
    chosenOf: (group) => {
      const now = view.model.meta?.variant_groups.find((one) => one.group === group);
      return now === undefined ? null : { active: now.active_name, mode: now.mode };
    },
  };
}
