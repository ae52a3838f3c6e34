/**
 * A question to the assistant about one cell, whose answer is shown as changes of the cell's text. Nothing is written
 * until the person accepts; all accepted changes are one undo step. Only one cell at a time has a question. What an
 * answer means for the text is decided in `state/assistant/proposal.ts`.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChatBody } from '../../../src-shared/wire/assistant.ts';
import { type Hunk, hunksOf, type Review, reviewOf, textOf } from '../../state/assistant/proposal.ts';
import type { TurnFailure } from '../../state/assistant/turns.ts';
import { cellName } from '../../state/cellName.ts';
import { type NotebookStore, shownSource } from '../../state/notebookStore.ts';
import { ASK_WORDS } from '../../words/ask.ts';
import type { Edits } from '../edits.ts';
import { beforeNextPaint } from '../nextFrame.ts';
import type { NotebookShape } from '../notebookShape.ts';
import type { Assistant } from './assistant.ts';
import { streamChat } from './chat.ts';

interface AskState {
  /** The cell of the open question; null if none is open. */
  readonly cellId: string | null;
  /** Counts how often a question was opened; each increase focuses the field. */
  readonly opened: number;
  readonly draft: string;
  readonly phase: 'writing' | 'saving' | 'arriving' | 'answered' | 'failed';
  readonly question: string;
  /** The text of the cell that was asked about. */
  readonly base: string;
  readonly answer: string;
  readonly failure: TurnFailure | null;
  /** The decision on each hunk, by its key: true if it was accepted, false if it was rejected. */
  readonly decided: Readonly<Record<string, boolean>>;
  readonly history: NonNullable<ChatBody['history']>;
}

/** The parts of the notebook that a question needs. */
interface AskPort {
  readonly store: NotebookStore;
  readonly edits: Pick<Edits, 'save'>;
  readonly shape: Pick<NotebookShape, 'writeSources'>;
  readonly assistant: Pick<Assistant, 'store'>;
}

const CLOSED: AskState = {
  cellId: null,
  opened: 0,
  draft: '',
  phase: 'writing',
  question: '',
  base: '',
  answer: '',
  failure: null,
  decided: {},
  history: [],
};

/** The longest question, in characters; the rest of a message explains the form of the answer. */
export const MAX_QUESTION = 8_000;
/**
 * The most earlier exchanges about this cell that a further question includes, and the most characters of each text.
 */
const MAX_BEFORE = 3;
const MAX_TEXT = 20_000;

export class InlineAsk {
  readonly store: StoreApi<AskState> = createStore<AskState>(() => CLOSED);
  readonly #port: AskPort;
  #stop: AbortController | null = null;

  constructor(port: AskPort) {
    this.#port = port;
  }

  /** Opens a question about a cell, or focuses the one that is open there. */
  open(cellId: string): void {
    const { cellId: before, opened } = this.#state();
    if (before !== cellId) this.close();
    this.#set({ cellId, opened: opened + 1 });
  }

  /** Closes the question: stops a running request and drops changes that are not accepted. */
  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.store.setState({ ...CLOSED, opened: this.#state().opened });
  }

  setDraft(draft: string): void {
    this.#set({ draft });
  }

  /** Stops the request and puts the question back into the field. */
  stop(): void {
    this.#stop?.abort();
  }

  isBusy(): boolean {
    const { phase } = this.#state();
    return phase === 'saving' || phase === 'arriving';
  }

  /** The message that the draft would send. */
  messageOf(cellId: string, question: string): string {
    const view = this.#port.store.getState();
    const cell = view.model.cells[cellId]?.cell;
    if (cell === undefined) return question;
    const isEmpty = shownSource(view, cellId).trim() === '';
    return ASK_WORDS.message({
      name: cellName(view.model, cellId),
      language: cell.language,
      isEmpty,
      question,
    });
  }

  /** Sends the text of the field; if it is empty, the last question again. */
  async send(): Promise<void> {
    const { cellId, draft, question: last, answer, history } = this.#state();
    const question = draft.trim() === '' ? last : draft.trim();
    if (cellId === null || question === '' || question.length > MAX_QUESTION || this.isBusy()) return;
    const stop = new AbortController();
    this.#stop = stop;
    const exchange = [
      { role: 'user' as const, content: last },
      { role: 'assistant' as const, content: answer.slice(0, MAX_TEXT) },
    ];
    const before = answer === '' ? history : [...history, ...exchange].slice(-2 * MAX_BEFORE);
    this.#set({
      phase: 'saving',
      question,
      draft: '',
      answer: '',
      failure: null,
      decided: {},
      history: before,
    });
    // The model is sent the server's text, so the shown text must be saved first.
    const saved = await this.#saved(cellId, stop.signal);
    if (stop.signal.aborted) {
      if (this.#stop !== stop) return;
      this.#stop = null;
      this.#set({ phase: 'writing', draft: question });
      return;
    }
    if (saved === 'refused') {
      this.#stop = null;
      const failure = { code: 'refused', message: ASK_WORDS.refused };
      this.#set({ phase: 'failed', failure, draft: question });
      return;
    }
    this.#set({ phase: 'arriving', base: shownSource(this.#port.store.getState(), cellId) });
    await this.#ask(cellId, question, stop, before);
  }

  async #ask(
    cellId: string,
    question: string,
    stop: AbortController,
    before: AskState['history'],
  ): Promise<void> {
    let waiting = '';
    const show = (): void => {
      const text = waiting;
      waiting = '';
      if (text !== '' && this.#stop === stop) this.#set({ answer: this.#state().answer + text });
    };
    const onText = (text: string): void => {
      if (waiting === '') beforeNextPaint(show);
      waiting += text;
    };
    const body = {
      message: this.messageOf(cellId, question),
      history: [...before],
      leave_out: this.#port.assistant.store.getState().leaveOut.filter((id) => id !== cellId),
      cell_id: cellId,
    };
    const { sessionId } = this.#port.store.getState();
    const end = await streamChat(sessionId, body, { signal: stop.signal, onText });
    if (this.#stop !== stop) return;
    show();
    this.#stop = null;
    if (end.kind === 'failed') this.#set({ phase: 'failed', failure: end.failure, draft: question });
    else if (end.kind === 'done') this.#set({ phase: 'answered' });
    else this.#set({ phase: 'writing', draft: question, answer: '' });
  }

  /** The changes that the answer would make to the current text; null until the answer is complete. */
  review(): Review | null {
    const { cellId, phase, base, answer } = this.#state();
    const view = this.#port.store.getState();
    const language = cellId === null ? undefined : view.model.cells[cellId]?.cell.language;
    if (cellId === null || language === undefined || phase !== 'answered') return null;
    return reviewOf({ base, current: shownSource(view, cellId), answer, language });
  }

  /**
   * Accepts or rejects one change; after the last one, writes the accepted ones. @returns whether the question ended
   */
  decide(hunk: Hunk, isAccepted: boolean): boolean {
    if (isAccepted && hunk.isHidden) return false;
    this.#set({ decided: { ...this.#state().decided, [hunk.key]: isAccepted } });
    const { decided } = this.#state();
    const hunks = hunksOf(this.review()?.segments ?? []);
    if (hunks.some(({ key }) => decided[key] === undefined)) return false;
    return this.finish(false);
  }

  /** Writes the accepted changes; `rest`: whether undecided ones are accepted. @returns whether the question ended */
  finish(rest: boolean): boolean {
    const { cellId, decided } = this.#state();
    const review = this.review();
    if (cellId === null || review?.kind !== 'changes') return false;
    const isAccepted = (hunk: Hunk): boolean => !hunk.isHidden && (decided[hunk.key] ?? rest);
    const text = textOf(review.segments, isAccepted);
    if (text !== shownSource(this.#port.store.getState(), cellId))
      void this.#port.shape.writeSources(new Map([[cellId, text]]), 'assistant');
    this.close();
    return true;
  }

  /** Waits until the server has the shown text. */
  #saved(cellId: string, signal: AbortSignal): Promise<'saved' | 'refused'> {
    const { store } = this.#port;
    const now = (): 'saved' | 'refused' | null => {
      const draft = store.getState().drafts[cellId];
      if (draft === undefined) return 'saved';
      return draft.state === 'refused' ? 'refused' : null;
    };
    this.#port.edits.save(cellId);
    const first = now();
    if (first !== null) return Promise.resolve(first);
    return new Promise((resolve) => {
      const settle = (): void => {
        const end = signal.aborted ? 'saved' : now();
        if (end === null) return;
        stop();
        signal.removeEventListener('abort', settle);
        resolve(end);
      };
      const stop = store.subscribe(settle);
      signal.addEventListener('abort', settle);
    });
  }

  #state(): AskState {
    return this.store.getState();
  }

  #set(change: Partial<AskState>): void {
    this.store.setState(change);
  }
}
