/**
 * Connects ipywidgets of cells with the Python process that runs them: requests their state and passes messages both
 * ways.
 */

import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { MAX_WIDGET_MESSAGE, type WidgetMessage } from '../../src-shared/wire/widgetMessages.ts';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import type { SessionPort } from './edits.ts';

/** What a widget's display knows about its cell's process. */
export type WidgetProcessState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'live'; readonly id: string; readonly state: unknown }
  /** The cell has no kept process; `why` is the reason why it ended. */
  | { readonly kind: 'stored'; readonly why: string | null };

/**
 * The most messages that one process may have unanswered; well-behaved widgets wait for an answer before they send
 * more.
 */
const MAX_UNANSWERED = 500;

interface Watcher {
  readonly onState: (processState: WidgetProcessState) => void;
}

/**
 * The widgets of cells whose process is kept: requests their state once a display needs it, and passes messages between
 * their frames and the process. A frame reaches only the comms of its own cell, since the cell is named here and not by
 * the frame.
 */
export class LiveWidgets {
  readonly #send: SessionPort['send'];
  readonly #say: (words: string) => void;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Cells whose state was requested and has not arrived yet. */
  readonly #asked = new Set<string>();
  readonly #listeners = new Map<string, Set<(messages: readonly WidgetMessage[]) => void>>();
  /** Ids of messages that were sent and are not handled yet, by process. */
  readonly #unanswered = new Map<string, Set<string>>();

  constructor(send: SessionPort['send'], say: (words: string) => void) {
    this.#send = send;
    this.#say = say;
  }

  /** Reports the state of a cell's process, now and whenever it changes. @returns a function that unsubscribes */
  watch(cellId: string, onState: (processState: WidgetProcessState) => void): () => void {
    const watcher = { onState };
    const watchers = this.#watchers.get(cellId) ?? new Set();
    this.#watchers.set(cellId, watchers.add(watcher));
    // One request is enough: the answer goes to every display of the cell.
    if (!this.#asked.has(cellId) && !this.#ask(cellId)) onState({ kind: 'stored', why: null });
    return () => {
      watchers.delete(watcher);
      if (this.#watchers.get(cellId)?.size === 0) this.#watchers.delete(cellId);
    };
  }

  /** Calls back with the messages of a process. @returns a function that unsubscribes */
  listen(liveId: string, onMessages: (messages: readonly WidgetMessage[]) => void): () => void {
    const listeners = this.#listeners.get(liveId) ?? new Set();
    this.#listeners.set(liveId, listeners.add(onMessages));
    return () => {
      listeners.delete(onMessages);
      if (this.#listeners.get(liveId)?.size === 0) this.#listeners.delete(liveId);
    };
  }

  /**
   * Sends a message of a frame to its cell's process. A message that is too long, or that follows too many unanswered
   * ones, is dropped and answered as handled, so that its widget does not wait for it.
   */
  send(cellId: string, liveId: string, message: WidgetMessage): void {
    const { type, msg_id: id } = message;
    if (type !== 'comm_msg' || id === undefined) return;
    const unanswered = this.#unanswered.get(liveId) ?? new Set();
    const isTooLong = JSON.stringify(message).length > MAX_WIDGET_MESSAGE;
    if (isTooLong) this.#say(OUTPUT_WORDS.widgetTooLong);
    if (isTooLong || unanswered.size >= MAX_UNANSWERED) {
      this.#deliver(liveId, [{ type: 'done', msg_id: id }]);
      return;
    }
    const payload = { cell_id: cellId, live_id: liveId, message };
    if (!this.#send({ type: 'widget_message', payload })) return;
    this.#unanswered.set(liveId, unanswered.add(id));
  }

  heard(frames: readonly ReceivedFrame[]): void {
    for (const frame of frames) {
      if (frame.type === 'widget_messages') this.#deliver(frame.payload.live_id, frame.payload.messages);
      if (frame.type !== 'widget_live') continue;
      const { cell_id, live_id, state, why = null } = frame.payload;
      if (live_id === null || state !== undefined) this.#asked.delete(cell_id);
      if (live_id === null) this.#tell(cell_id, { kind: 'stored', why });
      else if (state === undefined) this.#ask(cell_id);
      else this.#tell(cell_id, { kind: 'live', id: live_id, state });
    }
  }

  /** To be called after a reconnect: messages were missed, and the kept process may be another one. */
  linked(): void {
    this.#unanswered.clear();
    this.#asked.clear();
    for (const cellId of this.#watchers.keys()) {
      this.#tell(cellId, { kind: 'asking' });
      this.#ask(cellId);
    }
  }

  #ask(cellId: string): boolean {
    if (!this.#watchers.has(cellId)) return false;
    const isSent = this.#send({ type: 'widget_open', payload: { cell_id: cellId } });
    if (isSent) this.#asked.add(cellId);
    return isSent;
  }

  #tell(cellId: string, processState: WidgetProcessState): void {
    for (const { onState } of this.#watchers.get(cellId) ?? []) onState(processState);
  }

  #deliver(liveId: string, messages: readonly WidgetMessage[]): void {
    const unanswered = this.#unanswered.get(liveId);
    for (const { type, msg_id = '' } of messages) if (type === 'done') unanswered?.delete(msg_id);
    for (const listener of this.#listeners.get(liveId) ?? []) listener(messages);
  }
}
