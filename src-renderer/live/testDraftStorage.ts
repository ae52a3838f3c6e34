/**
 * Stores texts of tests that could not be saved beside the notebook until they are, so that they outlive this window.
 * They are read once, when the notebook has loaded, and offered. If a draft cannot be stored, the next key press tries
 * again. `close()` sends pending drafts.
 */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { cellName } from '../state/cellName.ts';
import type { TestDraft } from '../state/notebookStore.ts';
import { TEST_WORDS as W } from '../words/tests.ts';
import type { SessionPort } from './edits.ts';
import { callRoute, RestError } from './rest.ts';

const KEEP_MS = 400;

interface TestDraftHooks {
  /** Puts a draft of an earlier window into a cell's tests. */
  readonly offer: (cellId: string, draft: TestDraft) => void;
  readonly say: (words: string) => void;
}

export class TestDraftStorage {
  readonly #port: SessionPort;
  readonly #hooks: TestDraftHooks;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The stored drafts, by cell. */
  readonly #held = new Map<string, string>();
  #state: 'unread' | 'reading' | 'read' = 'unread';

  constructor(port: SessionPort, hooks: TestDraftHooks) {
    this.#port = port;
    this.#hooks = hooks;
  }

  close(): void {
    for (const cellId of [...this.#timers.keys()]) this.#send(cellId);
  }

  holds(cellId: string, text: string): boolean {
    return this.#held.get(cellId) === text;
  }

  async read(): Promise<void> {
    if (this.#state !== 'unread') return;
    this.#state = 'reading';
    try {
      const params = { sid: this.#port.view().sessionId };
      const { drafts, problem } = await callRoute('testDrafts', { params });
      this.#state = 'read';
      if (problem !== null) this.#hooks.say(problem);
      for (const { cell_id: id, text, base } of drafts) this.#offer(id, { text, base, refused: false });
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#state = 'unread';
    }
  }

  /** Stores the cell's draft when typing pauses. */
  keepSoon(cellId: string): void {
    clearTimeout(this.#timers.get(cellId));
    this.#timers.set(
      cellId,
      setTimeout(() => this.#send(cellId), KEEP_MS),
    );
  }

  keepNow(cellId: string, draft: TestDraft, options: { keepalive?: boolean } = {}): void {
    clearTimeout(this.#timers.get(cellId));
    this.#timers.delete(cellId);
    void this.#put(cellId, draft, options);
  }

  /** Deletes a stored draft that is settled: saved or discarded. */
  forget(cellId: string): void {
    clearTimeout(this.#timers.get(cellId));
    this.#timers.delete(cellId);
    if (this.#held.has(cellId)) void this.#put(cellId, null);
  }

  #send(cellId: string): void {
    const draft = this.#port.view().testDrafts[cellId];
    if (draft !== undefined) this.keepNow(cellId, draft);
  }

  #offer(cellId: string, draft: TestDraft): void {
    const { model, testDrafts } = this.#port.view();
    const name = factsOf(model.cells[cellId]?.cell)?.hasTests ? cellName(model, cellId) : null;
    // A draft of a deleted cell stays stored: the cell may be restored.
    if (name === null || testDrafts[cellId] !== undefined) return;
    this.#held.set(cellId, draft.text);
    this.#hooks.offer(cellId, draft);
    this.#hooks.say(W.draftBack(name));
  }

  async #put(cellId: string, draft: TestDraft | null, options: { keepalive?: boolean } = {}): Promise<void> {
    if (draft === null) this.#held.delete(cellId);
    const params = { sid: this.#port.view().sessionId, cell_id: cellId };
    const body = { draft: draft === null ? null : { text: draft.text, base: draft.base } };
    try {
      await callRoute('keepTestDraft', { params, body }, options);
      if (draft !== null) this.#held.set(cellId, draft.text);
    } catch (error) {
      // The cause is reported elsewhere: a lost connection, a full disk. The next key press tries again.
      if (!(error instanceof RestError)) throw error;
    }
  }
}
