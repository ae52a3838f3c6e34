/** The process of an ended run that stays alive for its widgets, and the messages between it and the windows. */

import { MAX_WIDGET_MESSAGE, type WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import { type KeptProcess, keptLine } from '../keptProcess.ts';
import type { KeptConnection } from './keptConnections.ts';
import type { RunEnd, RunningCell } from './runningCell.ts';

/** How long a process may take to report the state of its widgets: it may be in the middle of a callback. */
const STATE_MS = 20_000;

/** Messages of all windows that a process has not handled yet; more are dropped. */
const MAX_UNANSWERED = 2_000;

/** The process of a run that has ended and stays for its widgets. */
export class KeptRun implements KeptProcess {
  readonly ended: Promise<string>;
  readonly #cell: RunningCell;
  readonly #connection: KeptConnection;
  readonly #asked = new Map<number, (state: unknown) => void>();
  readonly #unanswered = new Set<string>();
  #nextId = 1;
  #why: string | null = null;
  #isOver = false;
  #onMessage: (message: WidgetMessage) => void = () => {};

  constructor(cell: RunningCell, connection: KeptConnection) {
    this.#cell = cell;
    this.#connection = connection;
    this.ended = cell.ended.then((end) => this.#end(end));
    connection.listen((line) => this.#take(line));
  }

  send(message: WidgetMessage): void {
    const { msg_id: id } = message;
    if (this.#isOver || id === undefined) return;
    const fits = this.#unanswered.size < MAX_UNANSWERED && sizeOf(message) <= MAX_WIDGET_MESSAGE;
    if (fits && this.#connection.send(message)) this.#unanswered.add(id);
    else this.#onMessage({ type: 'done', msg_id: id });
  }

  state(): Promise<unknown> {
    if (this.#isOver) return Promise.resolve(null);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(null), STATE_MS);
      timer.unref();
      const answer = (state: unknown): void => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(state);
      };
      this.#asked.set(id, answer);
      if (!this.#connection.send({ type: 'state', id })) answer(null);
    });
  }

  listen(onMessage: (message: WidgetMessage) => void): void {
    this.#onMessage = onMessage;
  }

  async close(): Promise<void> {
    this.#why ??= 'It was ended.';
    this.#connection.close();
    this.#cell.signal('SIGKILL');
    await this.ended;
  }

  #take(line: unknown): void {
    const parsed = keptLine.safeParse(line);
    // The cell's code can write to the connection too: anything that is not a message is ignored.
    if (!parsed.success) return;
    const { data } = parsed;
    if (data.type === 'ending') this.#why ??= data.why;
    else if (data.type === 'state') this.#asked.get(data.id)?.(data.state);
    else {
      if (data.type === 'done' && !this.#unanswered.delete(data.msg_id ?? '')) return;
      this.#onMessage(data);
    }
  }

  #end(end: RunEnd): string {
    this.#isOver = true;
    this.#connection.close();
    for (const answer of [...this.#asked.values()]) answer(null);
    if (this.#why !== null) return this.#why;
    if (end.kind === 'signal') return `It was ended by ${end.signal}.`;
    return end.kind === 'code' ? `It ended itself (exit code ${end.code}).` : end.message;
  }
}

function sizeOf(message: WidgetMessage): number {
  return JSON.stringify(message).length;
}
