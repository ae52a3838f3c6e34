/** Sends requests to run and to cancel cells to the server, after the edits that the run must use. */

import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { cellName } from '../state/cellName.ts';
import { runsAbove } from '../state/runAbove.ts';
import { targetsOf, withoutCells } from '../state/runQueue.ts';
import { notUpToDate } from '../state/tally.ts';
import { hasRefusedDraft, undecidedCode } from '../state/undecided.ts';
import { RUNNING_WORDS } from '../words/running.ts';
import { WORDS } from '../words/strings.ts';
import type { Edits, SessionPort } from './edits.ts';

const NOTHING: ReadonlySet<string> = new Set();

interface RunHooks {
  /** Focuses a cell whose text waits for the person's choice, for which a run was not sent. */
  readonly decide: (cellId: string) => void;
  readonly warn: (words: string) => void;
  /** Called when runs of these cells were requested in this window. */
  readonly requested?: (cellIds: readonly string[]) => void;
}

/**
 * Sends runs and cancellations to the server, which queues them (docs/extensions.md). Edits are always sent first, on
 * the same socket, so that a run uses them. A run that would use a cell whose shown text differs from the server's is
 * not sent: the focus goes to that cell.
 */
export class Runs {
  readonly #port: SessionPort;
  readonly #edits: Edits;
  readonly #hooks: RunHooks;
  /** Ids of queued runs that this window has asked the server to remove and that may still be in the queue. */
  #takenOut: ReadonlySet<string> = new Set();

  constructor(port: SessionPort, edits: Edits, hooks: RunHooks) {
    this.#port = port;
    this.#edits = edits;
    this.#hooks = hooks;
  }

  /** Runs a cell. @returns false if a conflict got the focus instead */
  run(cellId: string): boolean {
    return this.#ask({ type: 'cell_execute', payload: { cell_id: cellId, queue: true } });
  }

  /** Runs the targets of the open prompt without the cells above them; without a prompt, the cell. */
  runForced(cellId: string): void {
    const { prompt } = this.#port.view().model;
    this.dismissPrompt();
    const targets = prompt === null ? [cellId] : targetsOf(prompt);
    if (targets.length > 1) this.#queue(targets, { mode: 'force' });
    else this.#ask({ type: 'cell_execute_force', payload: { cell_id: cellId, queue: true } });
  }

  rerun(cellId: string): void {
    this.#ask({ type: 'cell_execute_rerun', payload: { cell_id: cellId, queue: true } });
  }

  /** Runs the targets of the open prompt with the cells above them, except those the person left out. */
  confirmCascade(leftOut: ReadonlySet<string> = NOTHING): void {
    const { model } = this.#port.view();
    const { prompt } = model;
    if (prompt === null) return;
    this.dismissPrompt();
    if (leftOut.size > 0) {
      const { normal, forced } = withoutCells(model, prompt, leftOut);
      if (normal.length > 0 && !this.#queue(normal, { agreed: normal })) return;
      if (forced.length > 0) this.#queue(forced, { mode: 'force' });
      return;
    }
    // Not by the plan's id: the run is planned again when its turn comes, and prompts again if it then covers more
    // cells.
    this.#queue(targetsOf(prompt), { agreed: prompt.cells_to_run });
  }

  dismissPrompt(): void {
    const { model } = this.#port.view();
    this.#port.set({ model: { ...model, prompt: null } });
  }

  runAll(options: { rerun: boolean }): void {
    this.#edits.saveAll();
    if (!this.#isDecided(undecidedCode(this.#port.view()))) return;
    const type = options.rerun ? 'notebook_rerun_all' : 'notebook_run_all';
    this.#sendOrSay({ type, payload: { continue_on_error: true, queue: true } });
  }

  /** Runs every cell that is not up to date, one after another, upstream cells first. */
  runStale(): void {
    this.#edits.saveAll();
    if (!this.#isDecided(undecidedCode(this.#port.view()))) return;
    const cell_ids = [...notUpToDate(this.#port.view().model)];
    if (cell_ids.length > 0)
      this.#sendOrSay({ type: 'run_queue_add', payload: added(cell_ids, { if_stale: true }) });
  }

  /**
   * Runs several cells one after another, in the order given.
   * @returns false if a conflict got the focus instead
   */
  runCells(cellIds: readonly string[]): boolean {
    return cellIds.length === 0 || this.#queue(cellIds, {});
  }

  /** Runs a cell once an environment job has succeeded. */
  runAfter(cellId: string, jobId: string): void {
    this.#sendOrSay({ type: 'run_queue_add', payload: added([cellId], { after_job: jobId }) });
  }

  /** Stops the run this cell is part of, or removes its queued runs. */
  cancel(cellId: string): void {
    const { model, asked } = this.#port.view();
    const ids = model.queue.filter((run) => run.cell_id === cellId).map(({ id }) => id);
    const isOn = model.cells[cellId]?.cell.status === 'running' || asked[cellId] !== undefined;
    if (isOn) this.#sendOrSay({ type: 'cell_cancel', payload: { cell_id: cellId } });
    else if (ids.length > 0) this.#sendOrSay({ type: 'run_queue_remove', payload: { ids } });
  }

  /** Requests the durations of the notebook's runs; the answer goes into the model. */
  requestProfile(): void {
    this.#port.send({ type: 'profiling_request', payload: {} });
  }

  /** Removes one queued run. */
  removeQueued(id: string): void {
    this.#sendOrSay({ type: 'run_queue_remove', payload: { ids: [id] } });
  }

  clearQueue(): void {
    this.#sendOrSay({ type: 'run_queue_remove', payload: {} });
  }

  /** Moves a queued run before another one; null: to the end. */
  moveQueued(id: string, before: string | null): void {
    this.#sendOrSay({ type: 'run_queue_move', payload: { id, before } });
  }

  /** Removes all queued runs and stops the running one. */
  cancelAll(): void {
    const { model, asked } = this.#port.view();
    if (model.queue.length > 0) this.#sendOrSay({ type: 'run_queue_remove', payload: {} });
    const running = model.order.find((id) => model.cells[id]?.cell.status === 'running');
    const target = running ?? Object.keys(asked)[0];
    if (target !== undefined) this.cancel(target);
  }

  /**
   * Reports why runs left the queue without running. Confirms a prompt if the person chose to run cells above, or if
   * cells run automatically.
   */
  heard(frames: readonly ReceivedFrame[]): void {
    const names = new Map<string, string[]>();
    for (const frame of frames) {
      if (frame.type !== 'run_queue') continue;
      for (const { cell_id, message } of frame.payload.dropped ?? []) {
        const name =
          cell_id === null ? RUNNING_WORDS.theNotebook : cellName(this.#port.view().model, cell_id);
        names.set(message, [...(names.get(message) ?? []), name]);
      }
    }
    for (const [message, of] of names) this.#hooks.warn(RUNNING_WORDS.dropped(of, message));
    const isAsked = frames.some(({ type }) => type === 'cascade_prompt');
    const { path, model } = this.#port.view();
    const isAutomatic = (model.meta?.auto_run?.mode ?? 'off') !== 'off';
    if (isAsked && (isAutomatic || runsAbove(path))) this.confirmCascade();
  }

  /** After frames: removes queued runs of cells whose shown text is not the saved one. */
  goOn(): void {
    const view = this.#port.view();
    const { queue } = view.model;
    if (queue.length === 0) {
      this.#takenOut = new Set();
      return;
    }
    for (const { id, cell_id } of queue) {
      const undecided =
        cell_id === null ? undecidedCode(view)[0] : hasRefusedDraft(view, cell_id) ? cell_id : undefined;
      if (undecided === undefined || this.#takenOut.has(id)) continue;
      if (!this.#port.send({ type: 'run_queue_remove', payload: { ids: [id] } })) return;
      this.#takenOut = new Set(this.#takenOut).add(id);
      // The person may be elsewhere by now: show a message, but do not move the focus.
      this.#hooks.warn(RUNNING_WORDS.notRun(cellName(view.model, undecided)));
    }
  }

  /** @returns false if a conflict got the focus instead */
  #ask(frame: ClientFrame & { readonly payload: { readonly cell_id: string } }): boolean {
    this.#edits.saveAll();
    const cellId = frame.payload.cell_id;
    if (!this.#isDecided([cellId])) return false;
    if (this.#sendOrSay(frame)) {
      this.#markAsked([cellId]);
      this.#hooks.requested?.([cellId]);
    }
    return true;
  }

  /** @returns false if a conflict got the focus instead */
  #queue(
    cellIds: readonly string[],
    more: { readonly agreed?: readonly string[]; readonly mode?: 'force' },
  ): boolean {
    this.#edits.saveAll();
    if (!this.#isDecided([...cellIds, ...(more.agreed ?? [])])) return false;
    if (this.#sendOrSay({ type: 'run_queue_add', payload: added(cellIds, more) })) {
      this.#markAsked(cellIds.slice(0, 1));
      this.#hooks.requested?.([...cellIds, ...(more.agreed ?? [])]);
    }
    return true;
  }

  #markAsked(cellIds: readonly string[]): void {
    const requests = Object.fromEntries(cellIds.map((id) => [id, true as const]));
    this.#port.set({ asked: { ...this.#port.view().asked, ...requests } });
  }

  /**
   * Whether the shown text of each of these cells is the one that would run; otherwise focuses the first that differs.
   */
  #isDecided(cellIds: readonly string[]): boolean {
    const undecided = cellIds.find((id) => hasRefusedDraft(this.#port.view(), id));
    if (undecided !== undefined) this.#hooks.decide(undecided);
    return undecided === undefined;
  }

  #sendOrSay(frame: ClientFrame): boolean {
    const isSent = this.#port.send(frame);
    if (!isSent) this.#port.set({ notice: WORDS.notSentOffline });
    return isSent;
  }
}

type AddToQueue = Extract<ClientFrame, { type: 'run_queue_add' }>['payload'];

function added(
  cellIds: readonly string[],
  more: { readonly agreed?: readonly string[] } & Partial<Omit<AddToQueue, 'cell_ids' | 'agreed'>>,
): AddToQueue {
  const { agreed: agreedCells = [], ...rest } = more;
  return { cell_ids: [...cellIds], agreed: [...agreedCells], if_stale: false, mode: 'normal', ...rest };
}
