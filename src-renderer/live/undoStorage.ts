/**
 * Stores the undo stack beside the notebook, so that it outlives this window. It is read once and updated after every
 * action, one request at a time. Each request contains the changes of this window; the record merges those of all
 * windows (ADR 0008). If the stack cannot be stored or read, the next action tries again; undo in this window does not
 * depend on the record.
 */

import type { UndoDelta, UndoEntry, UndoStack } from '../../src-shared/wire/undo.ts';
import type { Entry, History } from './history.ts';
import { isUndoableAction, MAX_ENTRIES } from './history.ts';
import { callRoute, RestError } from './rest.ts';

/** The pause after which typing is sent, in ms; other actions are sent immediately. */
const TYPING_MS = 1_000;
/** The most entries and characters sent: as many as the server stores. */
const MAX_SENT = 200;
const MAX_CHARACTERS = 2_000_000;

interface KeptUndoPort {
  readonly sessionId: () => string;
  /** The actions in this window since the page was opened. */
  readonly history: () => History;
  /** Adds earlier actions below those of this window. */
  readonly begin: (before: History, forgotten: number) => void;
  readonly say: (words: string) => void;
}

export class UndoStorage {
  readonly #port: KeptUndoPort;
  #state: 'unread' | 'reading' | 'read' = 'unread';
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending = false;
  #due = false;
  /** The entries as the record has them: done or undone, and with which changes. */
  #sent: SentEntries = new Map();

  constructor(port: KeptUndoPort) {
    this.#port = port;
  }

  close(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    void this.#send();
  }

  /** Reads the stack once; after a failure it is read at the next call, when the notebook is connected again. */
  async read(): Promise<void> {
    if (this.#state !== 'unread') return;
    this.#state = 'reading';
    try {
      const { problem, forgotten, ...stack } = await callRoute('notebookUndo', {
        params: { sid: this.#port.sessionId() },
      });
      this.#state = 'read';
      const before = historyOf(stack);
      this.#sent = sentOf(before);
      this.#port.begin(before, forgotten);
      if (problem !== null) this.#port.say(problem);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#state = 'unread';
    }
  }

  /** Stores the stack, which has changed. */
  keep(): void {
    const last = this.#port.history().done.at(-1);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), last?.deed === 'edit' ? TYPING_MS : 0);
  }

  /** Sends the changes of the stack, one request at a time, until the newest state is stored. */
  async #send(): Promise<void> {
    this.#timer = null;
    if (this.#state !== 'read') return;
    this.#due = true;
    if (this.#sending) return;
    this.#sending = true;
    while (this.#due) {
      this.#due = false;
      try {
        const params = { sid: this.#port.sessionId() };
        const now = newestOf(this.#port.history());
        const body = deltaOf(this.#sent, now);
        if (body.done.length + body.undone.length + body.gone.length === 0) continue;
        await callRoute('keepUndo', { params, body });
        this.#sent = sentOf(now);
      } catch (error) {
        // The cause is reported elsewhere: a lost connection, a full disk. The next action tries again.
        if (!(error instanceof RestError)) throw error;
      }
    }
    this.#sending = false;
  }
}

type SentEntries = ReadonlyMap<string, { readonly entry: Entry; readonly isDone: boolean }>;

function sentOf({ done, undone }: History): SentEntries {
  const sentEntries = new Map<string, { readonly entry: Entry; readonly isDone: boolean }>();
  for (const entry of done) sentEntries.set(entry.id, { entry, isDone: true });
  for (const entry of undone) sentEntries.set(entry.id, { entry, isDone: false });
  return sentEntries;
}

/** What to send: the entries that the record lacks or has in an older form, and the ids it no longer needs. */
function deltaOf(sentEntries: SentEntries, now: History): UndoDelta {
  const news = (entries: readonly Entry[], isDone: boolean): UndoDelta['done'] =>
    entries
      .filter(({ id, changes }) => {
        const before = sentEntries.get(id);
        return before?.isDone !== isDone || before.entry.changes !== changes;
      })
      // The same shape, but the wire's types are not readonly.
      .map(({ id, deed, changes, origin }) => ({
        id,
        deed,
        changes: changes as UndoEntry['changes'],
        ...(origin === undefined ? {} : { origin }),
      }));
  const here = new Set([...now.done, ...now.undone].map(({ id }) => id));
  return {
    done: news(now.done, true),
    undone: news(now.undone, false),
    gone: [...sentEntries.keys()].filter((id) => !here.has(id)),
  };
}

/** The newest entries, as many as the record stores. */
function newestOf({ done, undone }: History): History {
  let room = MAX_CHARACTERS;
  const newest = (entries: readonly Entry[]): readonly Entry[] => {
    const result: Entry[] = [];
    for (const entry of entries.slice(-MAX_SENT).reverse()) {
      room -= JSON.stringify(entry.changes).length;
      if (room < 0) break;
      result.unshift(entry);
    }
    return result;
  };
  return { done: newest(done), undone: newest(undone) };
}

/**
 * The history from a stored stack. Entries get the time 0, so that typing after a reload starts an entry of its own.
 * Actions of a newer program version are unknown here.
 */
function historyOf({ done, undone }: UndoStack): History {
  const entries = (stored: UndoStack['done']): readonly Entry[] => {
    const knownEntries: Entry[] = [];
    for (const { id, deed, changes, origin } of stored.slice(-MAX_ENTRIES).reverse()) {
      // Undo could never reach the entries below an unknown action.
      if (!isUndoableAction(deed)) break;
      knownEntries.unshift({ id, deed, changes, atMs: 0, origin });
    }
    return knownEntries;
  };
  return { done: entries(done), undone: entries(undone) };
}
