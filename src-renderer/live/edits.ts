/** Drafts of typed text: stored in the window, sent after a pause, preserved through lost connections. */

import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import { isSourceTooLong } from '../../src-shared/wire/routes/params.ts';
import { applyOwnSource } from '../state/applyFrame.ts';
import * as drafts from '../state/drafts.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';
import { isQueued } from '../state/runQueue.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import { WORDS } from '../words/strings.ts';

/** What edits and runs need of their session. */
export interface SessionPort {
  readonly view: () => NotebookView;
  readonly set: (change: Partial<NotebookView>) => void;
  /** False when there is no open socket. */
  readonly send: (frame: ClientFrame) => boolean;
  /** Whether a notebook_state has arrived on the current socket; until then drafts must not be sent. */
  readonly synced: () => boolean;
  /** Called at every change that a person makes to a text. */
  readonly typed: (cellId: string, before: string, after: string) => void;
}

const AUTOSAVE_MS = 800;
/** The delay before a draft of a queued cell is sent, in ms: short, because the run uses the server's text. */
const QUEUED_MS = 100;

/**
 * Text that a person types: stored immediately as a draft, sent after a short pause, held back while its cell runs,
 * preserved through lost connections, and never sent over another person's edit without consent. `close()` ends the
 * timers.
 */
export class Edits {
  readonly #port: SessionPort;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Cells whose draft is held back until their run ends. */
  heldBack: ReadonlySet<string> = new Set();

  constructor(port: SessionPort) {
    this.#port = port;
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** A key was pressed: stores the draft, records it for undo, saves it after a pause. */
  type(cellId: string, text: string): void {
    const before = shownSource(this.#port.view(), cellId);
    if (before === text || !this.#draft(cellId, text)) return;
    this.#port.typed(cellId, before, text);
    this.#saveLater(cellId);
  }

  /** Puts a text into a cell and saves it; the caller records it. False if the cell does not exist. */
  write(cellId: string, text: string): boolean {
    const isKept = this.#draft(cellId, text);
    if (isKept) this.save(cellId);
    return isKept;
  }

  /** Stores a text as a draft; false if the cell does not exist. */
  #draft(cellId: string, text: string): boolean {
    const view = this.#port.view();
    const serverSource = view.model.cells[cellId]?.cell.source;
    if (serverSource === undefined) return false;
    this.#port.set({ drafts: drafts.withTyped(view.drafts, cellId, { text, serverSource }), lineMark: null });
    return true;
  }

  /** Sends a cell's draft now; if that is not possible, it stays and is sent later. */
  save(cellId: string, options: { force: boolean } = { force: false }): void {
    this.#clearTimer(cellId);
    const view = this.#port.view();
    const draft = view.drafts[cellId];
    const cell = view.model.cells[cellId]?.cell;
    if (draft === undefined || cell === undefined) return;
    const waits = draft.state === 'refused' && draft.tooLong !== true;
    if (draft.state === 'sent' || (waits && !options.force)) return;
    if (isSourceTooLong(draft.text)) {
      this.#port.set({
        drafts: drafts.withTooLong(view.drafts, cellId, WORDS.sourceTooLong(draft.text.length)),
      });
      return;
    }
    // The server refuses edits of a running cell (cell_busy): the draft waits until the run ends.
    if (cell.status === 'running') {
      this.heldBack = new Set(this.heldBack).add(cellId);
      return;
    }
    if (!this.#port.synced()) return;
    const force = options.force || draft.merged?.insist === true;
    // The base is the last text sent, else the server's; a person who keeps their own text overwrites any base.
    const base = options.force ? {} : { base: draft.sent.at(-1) ?? draft.base };
    const payload = { cell_id: cellId, source: draft.text, force, ...base };
    if (!this.#port.send({ type: 'cell_source_update', payload })) return;
    this.#port.set({
      drafts: drafts.withSent(view.drafts, cellId),
      model: applyOwnSource(view.model, cellId, draft.text),
    });
  }

  saveAll(): void {
    for (const id of Object.keys(this.#port.view().drafts)) this.save(id);
  }

  /** Shows again a text that an earlier window could not save; the person decides what to do with it. */
  offer(cellId: string, { text, base }: { readonly text: string; readonly base: string }): void {
    const offeredDrafts = drafts.withRefusedDraft(this.#port.view().drafts, cellId, {
      text,
      base,
      reason: EDITING_WORDS.draftBack,
    });
    const isTooLong = isSourceTooLong(text);
    this.#port.set({
      drafts: isTooLong
        ? drafts.withTooLong(offeredDrafts, cellId, WORDS.sourceTooLong(text.length))
        : offeredDrafts,
    });
  }

  /** Focuses the note of a refused draft, which offers the choices. */
  lead(cellId: string, options: { readonly unrun: boolean }): void {
    this.#port.set({ drafts: drafts.withAttention(this.#port.view().drafts, cellId, options) });
  }

  /** Puts both texts of a refused draft into the cell, between markers; nothing is saved until the person chooses. */
  mergeByHand(cellId: string, marked: string): void {
    this.#draft(cellId, marked);
  }

  /** Settles a refused draft: the server's text wins. */
  takeTheirs(cellId: string): void {
    this.#port.set({ drafts: drafts.withoutDraft(this.#port.view().drafts, cellId) });
  }

  /** Settles a refused draft: this window's text wins, even over a lock on the cell. */
  keepMine(cellId: string): void {
    this.save(cellId, { force: true });
  }

  /** After frames of a synced socket: sends the texts that waited for a run, and schedules those typed since. */
  goOn(): void {
    const readyIds = [...this.heldBack].filter(
      (id) => this.#port.view().model.cells[id]?.cell.status !== 'running',
    );
    this.heldBack = new Set([...this.heldBack].filter((id) => !readyIds.includes(id)));
    for (const id of readyIds) this.save(id);
    for (const [id, draft] of Object.entries(this.#port.view().drafts)) {
      if (draft.state === 'typed' && !this.#timers.has(id)) this.#saveLater(id);
    }
  }

  #saveLater(cellId: string): void {
    this.#clearTimer(cellId);
    this.#timers.set(
      cellId,
      setTimeout(
        () => this.save(cellId),
        isQueued(this.#port.view().model, cellId) ? QUEUED_MS : AUTOSAVE_MS,
      ),
    );
  }

  #clearTimer(cellId: string): void {
    const timer = this.#timers.get(cellId);
    if (timer !== undefined) clearTimeout(timer);
    this.#timers.delete(cellId);
  }
}
