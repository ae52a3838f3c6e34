/**
 * Sends the editor's questions about Python cells (completion, hover, definitions, diagnostics) to the language
 * services of the server.
 */

import type { LanguageAnswer, LanguageQuestion } from '../../src-shared/wire/routes/language.ts';
import type { NotebookStore } from '../state/notebookStore.ts';
import { callRoute, RestError } from './rest.ts';

/** Whether Python language services are available; `words`: why not. Null: not requested yet. */
interface LanguageState {
  readonly state: LanguageAnswer['state'];
  readonly words: string | null;
}

/** The editor's requests about Python cells. Without an answer the editor falls back to its own features. */
export interface Language {
  /** Null: no answer, or the request was cancelled. Never rejects. */
  readonly ask: (
    cellId: string,
    question: LanguageQuestion,
    signal?: AbortSignal,
  ) => Promise<LanguageAnswer | null>;
  readonly now: () => LanguageState | null;
  readonly watch: (listener: () => void) => () => void;
}

/** After this time without a further answer, a server that was starting is no longer reported: no editor is open. */
const LAPSE_MS = 12_000;

export function createLanguage(store: NotebookStore): Language {
  const listeners = new Set<() => void>();
  let now: LanguageState | null = null;
  let lapse: ReturnType<typeof setTimeout> | null = null;
  const set = (next: LanguageState | null): void => {
    if (now?.state === next?.state && now?.words === next?.words) return;
    now = next;
    for (const listener of listeners) listener();
  };
  const hear = ({ state, words }: LanguageAnswer): void => {
    // Only if the service is off, `words` are about the service; otherwise they are about the question.
    set({ state, words: state === 'off' ? words : null });
    if (lapse !== null) clearTimeout(lapse);
    lapse = state === 'starting' ? setTimeout(() => set(null), LAPSE_MS) : null;
  };
  return {
    async ask(cellId, question, signal) {
      const params = { sid: store.getState().sessionId, cell_id: cellId };
      try {
        const options = signal === undefined ? {} : { signal };
        const answer = await callRoute('askLanguage', { params, body: question }, options);
        hear(answer);
        return answer;
      } catch (error) {
        // Typing continues: the caller proceeds without an answer.
        if (error instanceof RestError || signal?.aborted === true) return null;
        throw error;
      }
    },
    now: () => now,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
