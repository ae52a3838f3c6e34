/**
 * A question at one cell, whose answer is shown as changes of its text. Nothing is written before the person accepts:
 * then all accepted changes are one undo step. It has one cell at a time. What an answer means for the text is decided in
 * `state/assistant/proposal.ts`.
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
  /** Null: no question is open. */
  readonly cellId: string | null;
  /** How often it was opened: each time its field gets the focus. */
  readonly opened: number;
  readonly draft: string;
  readonly phase: 'writing' | 'saving' | 'arriving' | 'answered' | 'failed';
  readonly question: string;
  /** The text of the cell that was asked about. */
  readonly base: string;
  readonly answer: string;
  readonly failure: TurnFailure | null;
  /** By the key of a hunk: whether it was accepted or rejected. */
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
  ...{ cellId: null, opened: 0, draft: '', phase: 'writing', question: '', base: '', answer: '' },
  ...{ failure: null, decided: {}, history: [] },
};

/** The longest question; the rest of a message explains the form of the answer. */
export const MAX_QUESTION = 8_000;
/** Exchanges at this cell that are sent again with a further question, and characters of each text. */
const MAX_BEFORE = 3;
const MAX_TEXT = 20_000;

export class InlineAsk {
  readonly store: StoreApi<AskState> = createStore<AskState>(() => CLOSED);
  readonly #port: AskPort;
  #stop: AbortController | null = null;

  constructor(port: AskPort) {
    this.#port = port;
  }

  /** Opens the question at a cell, or gives the one that is open there the focus. */
  open(cellId: string): void {
    const { cellId: before, opened } = this.#state();
    if (before !== cellId) this.close();
    this.#set({ cellId, opened: opened + 1 });
  }

  /** Ends the question: a request stops, changes that are not accepted are dropped. */
  close(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.store.setState({ ...CLOSED, opened: this.#state().opened });
  }

  setDraft(draft: string): void {
    this.#set({ draft });
  }

  /** Ends the request; the question goes back into the field. */
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

  /** Sends what is in the field; without it, the last question once more. */
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
    // The model reads the text that the server has.
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

  /** What the answer would do to the text as it is now; null before it is complete. */
  review(): Review | null {
    const { cellId, phase, base, answer } = this.#state();
    const view = this.#port.store.getState();
    const language = cellId === null ? undefined : view.model.cells[cellId]?.cell.language;
    if (cellId === null || language === undefined || phase !== 'answered') return null;
    return reviewOf({ base, current: shownSource(view, cellId), answer, language });
  }

  /** Accepts or rejects one change; after the last one the accepted ones are written. @returns whether it ended */
  decide(hunk: Hunk, isAccepted: boolean): boolean {
    if (isAccepted && hunk.isHidden) return false;
    this.#set({ decided: { ...this.#state().decided, [hunk.key]: isAccepted } });
    const { decided } = this.#state();
    const hunks = hunksOf(this.review()?.segments ?? []);
    if (hunks.some(({ key }) => decided[key] === undefined)) return false;
    return this.finish(false);
  }

  /** Writes the accepted changes; `rest`: what becomes of those that are not decided. @returns whether it ended */
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

  /** Waits until the server has the text that is shown. */
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
