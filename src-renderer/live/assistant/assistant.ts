/**
 * The conversation of one window with the assistant of its notebook: messages sent, replies, and a person's answers to
 * its questions. Text that arrives is drawn once per animation frame. This class must not decide what a frame means
 * (`state/assistant` does) and must not change the notebook: changes arrive as notebook states, and undo is the
 * notebook's.
 */
import type { AgentStatus } from '../../../src-shared/wire/assistant.ts';
import type { ClientFrame } from '../../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../../src-shared/wire/frames/server.ts';
import type { UndoMark } from '../../../src-shared/wire/undo.ts';
import { afterJobFrame, afterStatus, isJobFrame, type JobFrame } from '../../state/assistant/jobFrames.ts';
import {
  type AssistantMode,
  historyOf,
  isOpen,
  newTurn,
  rememberedTurns,
  type Turn,
  withEnd,
  withText,
  withWholeText,
} from '../../state/assistant/turns.ts';
import type { NotebookView } from '../../state/notebookStore.ts';
import { ASSISTANT_WORDS } from '../../words/assistant.ts';
import { beforeNextPaint } from '../nextFrame.ts';
import { callRoute, RestError } from '../rest.ts';
import { type AssistantState, type AssistantStore, createAssistantStore } from './assistantStore.ts';
import { failureOf, streamChat } from './chat.ts';

interface AssistantPort {
  readonly view: () => NotebookView;
  /** False if there is no connection. */
  readonly send: (frame: ClientFrame) => boolean;
  /** The current position in the undo stack, to go back to later. */
  readonly mark: () => UndoMark | null;
}

/** The longest message that the server accepts, in characters. */
export const MAX_MESSAGE = 10_000;

export class Assistant {
  readonly store: AssistantStore = createAssistantStore();
  readonly #port: AssistantPort;
  #lastId = 0;
  #chat: AbortController | null = null;
  /**
   * While a job is being started: its frames that arrived before the response with its id. Null: no job is starting.
   */
  #early: { frame: JobFrame; atMs: number }[] | null = null;
  /** True once the panel was opened: then the conversation is read again after each reconnect. */
  #isUsed = false;

  constructor(port: AssistantPort) {
    this.#port = port;
  }

  // What a person does --------------------------------------------------------------------------------------------

  setMode(mode: AssistantMode): void {
    this.#set({ mode });
  }

  setDraft(draft: string): void {
    this.#set({ draft });
  }

  setAbout(aboutId: string | null): void {
    this.#set({ aboutId });
  }

  /** Excludes a cell from what is sent to the model, or includes it again. */
  leaveOut(cellId: string, isLeftOut: boolean): void {
    const others = this.#state().leaveOut.filter((id) => id !== cellId);
    this.#set({ leaveOut: isLeftOut ? [...others, cellId] : others });
  }

  /** Focuses the message field. */
  focus(): void {
    this.#set({ asked: this.#state().asked + 1, view: 'talk' });
  }

  show(view: AssistantState['view']): void {
    this.#set({ view });
  }

  /** Marks changes of agents as accepted. */
  accept(keys: readonly string[]): void {
    this.#set({ accepted: [...new Set([...this.#state().accepted, ...keys])] });
  }

  setFollow(follow: boolean): void {
    this.#set({ follow });
  }

  /** Puts a message into the field, for the person to check and send. */
  prepare(message: string, cellId: string | null): void {
    const text = message.slice(0, MAX_MESSAGE);
    const leaveOut = this.#state().leaveOut.filter((id) => id !== cellId);
    this.#set({ draft: text, aboutId: cellId, editingId: null, leaveOut });
    this.focus();
  }

  /** Puts the message of a turn into the field to be edited. */
  edit(turnId: number): void {
    const turn = this.#turn(turnId);
    if (turn === undefined) return;
    this.#set({ draft: turn.message, aboutId: turn.cellId, mode: turn.mode, editingId: turnId });
    this.focus();
  }

  cancelEdit(): void {
    this.#set({ draft: '', aboutId: null, editingId: null });
  }

  /** Sends what is in the field. */
  send(): void {
    const { draft, aboutId, editingId, mode } = this.#state();
    const message = draft.trim();
    if (message === '' || message.length > MAX_MESSAGE || this.isBusy()) return;
    this.#set({ draft: '', aboutId: null, editingId: null, problem: null });
    this.#begin({ mode, message, cellId: aboutId }, editingId);
  }

  /** Sends the same message again; the new answer replaces the old one. */
  again(turnId: number): void {
    const turn = this.#turn(turnId);
    if (turn === undefined || this.isBusy()) return;
    this.#begin(turn, turnId);
  }

  /** Stops the answer. */
  stop(): void {
    const turn = this.#state().turns.find(isOpen);
    if (turn === undefined) return;
    if (turn.mode === 'ask') {
      this.#chat?.abort();
      return;
    }
    // The id may not have arrived yet; without one, the running job is cancelled.
    const isSent = this.#port.send({ type: 'agent_cancel', payload: { job_id: turn.jobId } });
    if (isSent) this.#change(turn.id, (now) => ({ ...now, state: 'stopping' }));
    else this.#set({ problem: ASSISTANT_WORDS.notSent });
  }

  /** Answers the pending question. */
  answer(turnId: number, approved: boolean): void {
    const question = this.#turn(turnId)?.question ?? null;
    if (question === null) return;
    const { job_id, request_id } = question.request;
    const isSent = this.#port.send({
      type: 'agent_confirm_response',
      payload: { job_id, request_id, approved },
    });
    if (isSent) this.#change(turnId, (turn) => ({ ...turn, question: null }));
    else this.#set({ problem: ASSISTANT_WORDS.notSent });
  }

  /** Starts a new conversation, here and on the server. @throws RestError */
  async reset(): Promise<void> {
    this.#chat?.abort();
    await callRoute('aiAgentReset', { params: { sid: this.#sid() } });
    this.#set({ turns: [], editingId: null, problem: null, leaveOut: [] });
    this.focus();
  }

  isBusy(): boolean {
    return this.#state().turns.some(isOpen);
  }

  // Responses and frames of the server ----------------------------------------------------------------------------

  /** Reads the conversation that the server remembers, and the running job. @throws RestError */
  async read(): Promise<void> {
    this.#isUsed = true;
    const status = await callRoute('aiAgentStatus', { params: { sid: this.#sid() } });
    const { turns, isRead } = this.#state();
    const { job, history, problem } = status;
    let next = isRead ? turns : [...this.#remembered(history), ...turns];
    const answer = history.at(-1)?.role === 'assistant' ? (history.at(-1)?.content ?? '') : '';
    const lastQuestion = history.at(-2)?.content ?? '';
    next = next.map((turn) => {
      if (turn.mode === 'ask' || !isOpen(turn) || turn.jobId === null || turn.jobId === job?.job_id)
        return turn;
      // The job's last frame was lost with a connection. The server remembers only jobs that succeeded.
      return lastQuestion === turn.message
        ? withEnd(withWholeText(turn, answer), { state: 'done' })
        : withEnd(turn, { state: 'failed', failure: { code: 'lost', message: ASSISTANT_WORDS.lostJob } });
    });
    if (job !== null) {
      if (this.#early === null && !next.some((turn) => turn.jobId === job.job_id)) {
        const { message, job_id: jobId } = job;
        const id = this.#nextId();
        next = [...next, { ...newTurn({ id, mode: 'agent', message, cellId: null }), jobId }];
      }
      const nowMs = Date.now();
      next = next.map((turn) => (turn.jobId === job.job_id ? afterStatus(turn, job, nowMs) : turn));
    }
    this.#set({ turns: next, isRead: true, problem });
  }

  /** To be called after a reconnect, perhaps to another session. */
  linked(): void {
    if (!this.#isUsed) return;
    this.read().catch((error: unknown) => {
      if (!(error instanceof RestError)) throw error;
      this.#set({ problem: error.message });
    });
  }

  heard(frames: readonly ReceivedFrame[]): void {
    const nowMs = Date.now();
    let { turns } = this.#state();
    for (const frame of frames) {
      if (!isJobFrame(frame)) continue;
      const { job_id: jobId } = frame.payload;
      if (this.#early !== null && !turns.some((turn) => turn.jobId === jobId)) {
        this.#early.push({ frame, atMs: nowMs });
        continue;
      }
      turns = this.#withFrame(turns, frame, nowMs);
    }
    if (turns !== this.#state().turns) this.#set({ turns });
  }

  close(): void {
    this.#chat?.abort();
  }

  // ---------------------------------------------------------------------------------------------------------------

  /** The turns after a frame. The first frame of a job that another window started begins a turn here. */
  #withFrame(turns: readonly Turn[], frame: JobFrame, nowMs: number): readonly Turn[] {
    const { job_id: jobId } = frame.payload;
    const isOurs = (turn: Turn): boolean => turn.jobId === jobId;
    if (turns.some(isOurs)) {
      return turns.map((turn) => (isOurs(turn) && isOpen(turn) ? afterJobFrame(turn, frame, nowMs) : turn));
    }
    if (frame.type !== 'agent_progress' || frame.payload.event !== 'started') return turns;
    const message = frame.payload.detail;
    const turn = newTurn({ id: this.#nextId(), mode: 'agent', message, cellId: null });
    const now = { ...turn, jobId, mark: this.#port.mark() };
    return [...turns, afterJobFrame(now, frame, nowMs)];
  }

  /** The part of the server's history that precedes the jobs this window already shows. */
  #remembered(history: AgentStatus['history']): readonly Turn[] {
    const ownTurnCount = this.#state().turns.filter(
      ({ jobId, state }) => jobId !== null && state === 'done',
    ).length;
    const before = rememberedTurns(history, () => this.#nextId());
    return before.slice(0, Math.max(0, before.length - ownTurnCount));
  }

  /** @param replacedId the turn that the new one replaces, together with all later turns; null: none */
  #begin(request: Pick<Turn, 'mode' | 'message' | 'cellId'>, replacedId: number | null): void {
    const { mode, message, cellId } = request;
    const mark = this.#port.mark();
    const turn = { ...newTurn({ id: this.#nextId(), mode, message, cellId }), mark };
    const { turns } = this.#state();
    const at = replacedId === null ? -1 : turns.findIndex(({ id }) => id === replacedId);
    // The turn of a job stays: its changes can be undone there, and the server remembers it.
    const isKept = at === -1 || turns[at]?.jobId !== null;
    const before = isKept ? turns : turns.slice(0, at);
    this.#set({ turns: [...before, turn] });
    if (mode === 'ask') void this.#ask(turn, before);
    else void this.#start(turn);
  }

  async #ask(turn: Turn, before: readonly Turn[]): Promise<void> {
    const stop = new AbortController();
    this.#chat = stop;
    let waiting = '';
    const show = (): void => {
      if (waiting === '') return;
      const text = waiting;
      waiting = '';
      this.#change(turn.id, (now) => withText({ ...now, state: 'running' }, text));
    };
    const onText = (text: string): void => {
      if (waiting === '') beforeNextPaint(show);
      waiting += text;
    };
    const { message, cellId } = turn;
    const isThere = cellId !== null && this.#port.view().model.cells[cellId] !== undefined;
    const body = {
      message,
      history: [...historyOf(before)],
      leave_out: [...this.#state().leaveOut],
      ...(isThere ? { cell_id: cellId } : {}),
    };
    const end = await streamChat(this.#sid(), body, { signal: stop.signal, onText });
    show();
    if (this.#chat === stop) this.#chat = null;
    this.#change(turn.id, (now) => {
      if (end.kind === 'done') return withEnd(now, { state: 'done', model: end.model, tokens: end.tokens });
      if (end.kind === 'stopped') return withEnd(now, { state: 'cancelled' });
      return withEnd(now, { state: 'failed', failure: end.failure });
    });
  }

  async #start(turn: Turn): Promise<void> {
    const { leaveOut } = this.#state();
    this.#early = [];
    try {
      const { job_id: jobId } = await callRoute('aiAgent', {
        params: { sid: this.#sid() },
        body: {
          message: turn.message,
          auto_approve: false,
          // In a window, the person confirms every change and run.
          confirm_all: true,
          extra_tools: true,
          leave_out: [...leaveOut],
          ...(turn.mark === null ? {} : { mark: turn.mark }),
        },
      });
      // A job that was stopped before this response arrived stays stopped.
      this.#change(turn.id, (now) => ({
        ...now,
        jobId,
        state: now.state === 'starting' ? 'running' : now.state,
      }));
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#change(turn.id, (now) => withEnd(now, { state: 'failed', failure: failureOf(error) }));
    } finally {
      const early = this.#early ?? [];
      this.#early = null;
      let { turns } = this.#state();
      for (const { frame, atMs } of early) turns = this.#withFrame(turns, frame, atMs);
      this.#set({ turns });
    }
  }

  #turn(id: number): Turn | undefined {
    return this.#state().turns.find((turn) => turn.id === id);
  }

  #change(id: number, change: (turn: Turn) => Turn): void {
    const { turns } = this.#state();
    this.#set({ turns: turns.map((turn) => (turn.id === id ? change(turn) : turn)) });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #sid(): string {
    return this.#port.view().sessionId;
  }

  #state(): AssistantState {
    return this.store.getState();
  }

  #set(change: Partial<AssistantState>): void {
    this.store.setState(change);
  }
}
