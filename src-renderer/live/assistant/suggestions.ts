/**
 * Requests suggestions of the AI model at the caret. The editor requests them only while the person has them turned on
 * (`editor/suggestion/offerSuggestions.ts`). No request is made in a folder that is not trusted, without a provider, or
 * for a cell that is excluded from what is sent. Typing is never disturbed: a failure pauses the suggestions, and the
 * status bar shows the reason.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type CaretPlace,
  canSuggestAt,
  type LastSuggestion,
  remainingSuggestion,
} from '../../state/assistant/suggestion.ts';
import type { NotebookView } from '../../state/notebookStore.ts';
import { aiChanges, readAi } from '../ai.ts';
import { callRoute, RestError } from '../rest.ts';

/** How long suggestions pause after a failure, in ms. */
const PAUSE_MS = 60_000;
/** If there is no provider, it is checked again after this time, in ms. */
const LOOK_AGAIN_MS = 15_000;

interface SuggestionsPort {
  readonly view: () => NotebookView;
  /** Cells that are not sent to the model. */
  readonly leaveOut: () => readonly string[];
}

export class Suggestions {
  /** `paused`: the message of the failure that caused the pause; null while suggestions are not paused. */
  readonly store: StoreApi<{ readonly paused: string | null }> = createStore(() => ({
    paused: null as string | null,
  }));
  readonly #port: SuggestionsPort;
  #last: LastSuggestion | null = null;
  #provider: { readonly isThere: boolean; readonly change: number; readonly atMs: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(port: SuggestionsPort) {
    this.#port = port;
  }

  /** The text to suggest at a place of a cell; '' for none. Never rejects because of a server or network failure. */
  async at(cellId: string, place: CaretPlace, signal: AbortSignal): Promise<string> {
    if (!this.#mayAsk(cellId) || !canSuggestAt(place)) return '';
    const rest = remainingSuggestion(this.#last, cellId, place);
    if (rest !== null) return rest;
    try {
      if (!(await this.#hasProvider(signal))) return '';
      const body = { cell_id: cellId, ...place, leave_out: [...this.#port.leaveOut()] };
      const { text } = await callRoute('aiSuggest', { params: { sid: this.#sid() }, body }, { signal });
      this.#last = { cellId, ...place, text };
      return text;
    } catch (error) {
      if (signal.aborted) return '';
      if (!(error instanceof RestError)) throw error;
      this.#failed(error);
      return '';
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #mayAsk(cellId: string): boolean {
    const { link, model } = this.#port.view();
    return (
      this.store.getState().paused === null &&
      link.kind === 'live' &&
      model.meta?.untrusted === undefined &&
      model.cells[cellId] !== undefined &&
      !this.#port.leaveOut().includes(cellId)
    );
  }

  /** @throws RestError */
  async #hasProvider(signal: AbortSignal): Promise<boolean> {
    const change = aiChanges.getState().count;
    const cachedProvider = this.#provider;
    if (cachedProvider !== null && cachedProvider.change === change) {
      if (cachedProvider.isThere || Date.now() - cachedProvider.atMs < LOOK_AGAIN_MS)
        return cachedProvider.isThere;
    }
    const { available: isThere } = await readAi(this.#sid());
    this.#provider = { isThere, change, atMs: Date.now() };
    return isThere && !signal.aborted;
  }

  #failed({ status, message }: RestError): void {
    // No key or no trust: not a failure that passes, so suggestions do not pause; the settings show the cause.
    if (status === 403 || status === 503) {
      this.#provider = { isThere: false, change: aiChanges.getState().count, atMs: Date.now() };
      return;
    }
    this.store.setState({ paused: message });
    this.#timer = setTimeout(() => this.store.setState({ paused: null }), PAUSE_MS);
  }

  #sid(): string {
    return this.#port.view().sessionId;
  }
}
