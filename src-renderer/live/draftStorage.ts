/**
 * Stores texts of cells that wait for a person's choice beside the notebook, so that they outlive this window. They are
 * read once, when the notebook has loaded, and shown again beside the cell's current text. `follow` is called at every
 * change; if a draft cannot be stored, the next key press tries again. `close()` sends pending drafts.
 */

import type { SourceDraft, StoredSourceDraft } from '../../src-shared/wire/sourceDraft.ts';
import { MAX_DRAFT_TEXT } from '../../src-shared/wire/sourceDraft.ts';
import { draftsToStore } from '../state/draftsToStore.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import type { Orphan } from '../state/orphans.ts';
import type { SessionPort } from './edits.ts';
import { callRoute, RestError } from './rest.ts';

const KEEP_MS = 400;

/**
 * The most bytes of requests that outlive the page: half of the browsers' limit; drafts of tests get the other half.
 */
const LEAVING_BYTES = 32 * 1024;

interface KeptDraftHooks {
  /** Shows a draft of an earlier window in its cell. */
  readonly offer: (cellId: string, draft: Pick<SourceDraft, 'text' | 'base'>) => void;
  /** Called for a draft whose cell was deleted. */
  readonly recreate: (text: Orphan) => void;
  readonly say: (words: string) => void;
}

export class DraftStorage {
  readonly #port: SessionPort;
  readonly #hooks: KeptDraftHooks;
  readonly #window = crypto.randomUUID();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The text of each cell that is stored, or about to be; null if storing failed. */
  readonly #wanted = new Map<string, string | null>();
  /** The text of each cell that the server is known to store, and the id of the window that stored it. */
  readonly #held = new Map<string, { readonly text: string; readonly window: string }>();
  /** Cells whose drafts were settled without a connection, so the server does not know it yet. */
  readonly #untold = new Set<string>();
  /** Requests are sent one at a time: a deletion must not overtake the write before it. */
  #last: Promise<void> = Promise.resolve();
  #state: 'unread' | 'reading' | 'read' = 'unread';

  constructor(port: SessionPort, hooks: KeptDraftHooks) {
    this.#port = port;
    this.#hooks = hooks;
  }

  close(): void {
    for (const cellId of [...this.#timers.keys()]) this.#keep(cellId);
  }

  /** Called when the notebook's current state has arrived. */
  goOn(): void {
    for (const cellId of this.#untold) this.#forget(cellId);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#state !== 'unread') return;
    this.#state = 'reading';
    try {
      const params = { sid: this.#port.view().sessionId };
      const { drafts, problem } = await callRoute('sourceDrafts', { params });
      this.#state = 'read';
      if (problem !== null) this.#hooks.say(problem);
      // If several windows left drafts of a cell, the newest is shown; the next one appears when the notebook opens
      // again.
      for (const draft of [...drafts].reverse()) this.#offer(draft);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#state = 'unread';
    }
  }

  changed(now: NotebookView, before: NotebookView): void {
    if (now.drafts !== before.drafts || now.orphanTexts !== before.orphanTexts) this.follow();
  }

  /** To be called when the drafts, or the texts of deleted cells, have changed. */
  follow(): void {
    const { drafts, orphanTexts } = this.#port.view();
    const toStore = draftsToStore(this.#port.view());
    for (const cellId of [...this.#wanted.keys()]) {
      // A draft that is being sent may still be refused.
      const isOpen = drafts[cellId] !== undefined || orphanTexts.some((text) => text.cellId === cellId);
      if (!isOpen) this.#forget(cellId);
    }
    for (const [cellId, { text }] of toStore) {
      if (this.#wanted.get(cellId) === text) continue;
      this.#wanted.set(cellId, text);
      clearTimeout(this.#timers.get(cellId));
      this.#timers.set(
        cellId,
        setTimeout(() => this.#keep(cellId), KEEP_MS),
      );
    }
  }

  /** Sends all drafts, because the page may close immediately. @returns whether text would be lost with it */
  leaving(): boolean {
    let room = LEAVING_BYTES;
    let isLost = false;
    const { model, link } = this.#port.view();
    for (const [cellId, draft] of draftsToStore(this.#port.view())) {
      // At most four bytes per character, for the text and its base.
      const bytes = 4 * (draft.text.length + draft.base.length);
      const isHeld = this.#held.get(cellId)?.text === draft.text;
      const goes = bytes <= room;
      // Drafts that are already stored are sent too: another window with the same draft may have deleted it.
      if (goes) {
        room -= bytes;
        this.#clearTimer(cellId);
        void this.#put(cellId, draft, { keepalive: true });
      }
      // The server may refuse it if the cell no longer exists.
      const isSafe = isHeld || (goes && link.kind === 'live' && model.cells[cellId] !== undefined);
      if (!isSafe) isLost = true;
    }
    return isLost;
  }

  #offer({ cell_id: cellId, window, text, base, name, language }: StoredSourceDraft): void {
    const { model, drafts, orphanTexts } = this.#port.view();
    const isTaken = drafts[cellId] !== undefined || orphanTexts.some((one) => one.cellId === cellId);
    if (isTaken || this.#wanted.has(cellId)) return;
    this.#wanted.set(cellId, text);
    this.#held.set(cellId, { text, window });
    const source = model.cells[cellId]?.cell.source;
    if (source === text) this.#forget(cellId);
    else if (source !== undefined) this.#hooks.offer(cellId, { text, base });
    else {
      this.#hooks.recreate({ cellId, name, language, source: text, afterId: model.order.at(-1) ?? null });
    }
  }

  #keep(cellId: string): void {
    this.#clearTimer(cellId);
    const draft = draftsToStore(this.#port.view()).get(cellId);
    if (draft !== undefined) this.#inTurn(() => this.#put(cellId, draft));
  }

  /** Deletes a stored draft that is settled: the person has chosen a text, or a new cell has it. */
  #forget(cellId: string): void {
    this.#clearTimer(cellId);
    this.#wanted.delete(cellId);
    this.#untold.delete(cellId);
    this.#inTurn(() => this.#put(cellId, null));
  }

  #clearTimer(cellId: string): void {
    clearTimeout(this.#timers.get(cellId));
    this.#timers.delete(cellId);
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work);
  }

  async #put(
    cellId: string,
    draft: SourceDraft | null,
    options: { keepalive?: boolean } = {},
  ): Promise<void> {
    const heldDraft = this.#held.get(cellId);
    // The draft was never stored, or is too large to be stored.
    if (draft === null ? heldDraft === undefined : draft.text.length > MAX_DRAFT_TEXT) return;
    const window = heldDraft?.window ?? this.#window;
    const params = { sid: this.#port.view().sessionId, cell_id: cellId };
    try {
      await callRoute('keepSourceDraft', { params, body: { window, draft } }, options);
      if (draft === null) this.#held.delete(cellId);
      else this.#held.set(cellId, { text: draft.text, window });
    } catch (error) {
      // The cause is reported elsewhere: a lost connection, a full disk. The next key press tries again.
      if (!(error instanceof RestError)) throw error;
      if (draft === null) this.#untold.add(cellId);
      else if (this.#wanted.get(cellId) === draft.text) this.#wanted.set(cellId, null);
    }
  }
}
