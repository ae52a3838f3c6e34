import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import type { RunWish } from '../state/notebookStore.ts';
import { notUpToDate } from '../state/tally.ts';
import { WORDS } from '../ui/strings.ts';
import type { Edits, SessionPort } from './edits.ts';
import { addWish, mayRun, withoutVain } from './runWishes.ts';

/**
 * Runs and cancels: what is asked of the server, and the runs that wait in this window for their turn. Edits always
 * go out first, on the same socket, so that a run sees them.
 */
export class Runs {
  readonly #port: SessionPort;
  readonly #edits: Edits;
  /** The run-all that was asked for and has not begun. */
  allAsked: RunWish | null = null;

  constructor(port: SessionPort, edits: Edits) {
    this.#port = port;
    this.#edits = edits;
  }

  run(cellId: string): void {
    this.#ask({ type: 'cell_execute', payload: { cell_id: cellId } });
  }

  runForced(cellId: string): void {
    this.dismissPrompt();
    this.#ask({ type: 'cell_execute_force', payload: { cell_id: cellId } });
  }

  rerun(cellId: string): void {
    this.#ask({ type: 'cell_execute_rerun', payload: { cell_id: cellId } });
  }

  confirmCascade(): void {
    const { prompt } = this.#port.view().model;
    if (prompt === null) return;
    this.dismissPrompt();
    const { cell_id, plan_id } = prompt;
    this.#ask({ type: 'cell_execute_cascade', payload: { cell_id, plan_id } });
  }

  dismissPrompt(): void {
    const { model } = this.#port.view();
    this.#port.set({ model: { ...model, prompt: null } });
  }

  runAll(options: { rerun: boolean }): void {
    this.#edits.saveAll();
    this.allAsked = { kind: 'all', rerun: options.rerun };
    const type = options.rerun ? 'notebook_rerun_all' : 'notebook_run_all';
    this.#sendOrSay({ type, payload: { continue_on_error: true } });
  }

  /** Runs every cell that is not up to date, upstreams first; each waits its turn in this window. */
  runStale(): void {
    this.#edits.saveAll();
    const { model, waiting } = this.#port.view();
    const wishes = notUpToDate(model).map((cellId): RunWish => ({ kind: 'cell', cellId, stale: true }));
    this.#port.set({ waiting: wishes.reduce(addWish, waiting) });
    this.goOn();
  }

  /** Runs several cells one after another, in the order given; each waits its turn. */
  runCells(cellIds: readonly string[]): void {
    this.#edits.saveAll();
    const wishes = cellIds.map((cellId): RunWish => ({ kind: 'cell', cellId }));
    this.#port.set({ waiting: wishes.reduce(addWish, this.#port.view().waiting) });
    this.goOn();
  }

  /** Runs a cell once a job of the environment has ended well. */
  runAfter(cellId: string, jobId: string): void {
    const wish: RunWish = { kind: 'cell', cellId, after: jobId };
    this.#port.set({ waiting: addWish(this.#port.view().waiting, wish) });
    this.goOn();
  }

  /** Stops the run this cell is part of, or takes its waiting run back. */
  cancel(cellId: string): void {
    const view = this.#port.view();
    this.#port.set({
      waiting: view.waiting.filter((wish) => wish.kind !== 'cell' || wish.cellId !== cellId),
    });
    if (view.model.cells[cellId]?.cell.status !== 'running' && view.asked[cellId] === undefined) return;
    this.#sendOrSay({ type: 'cell_cancel', payload: { cell_id: cellId } });
  }

  /** Stops whatever runs and forgets what waits. */
  cancelAll(): void {
    const { model, asked } = this.#port.view();
    this.#port.set({ waiting: [] });
    const running = model.order.find((id) => model.cells[id]?.cell.status === 'running');
    const target = running ?? Object.keys(asked)[0];
    if (target !== undefined) this.cancel(target);
  }

  /** After frames: the first run that waits starts, when nothing stands in its way any more. */
  goOn(): void {
    const view = this.#port.view();
    if (view.waiting.length === 0 || !mayRun(view)) return;
    const [wish, ...rest] = withoutVain(view);
    this.#port.set({ waiting: rest });
    if (wish === undefined) return;
    if (wish.kind === 'cell') this.run(wish.cellId);
    else this.runAll({ rerun: wish.rerun });
  }

  #ask(frame: ClientFrame & { readonly payload: { readonly cell_id: string } }): void {
    this.#edits.saveAll();
    if (!this.#sendOrSay(frame)) return;
    this.#port.set({ asked: { ...this.#port.view().asked, [frame.payload.cell_id]: true } });
  }

  #sendOrSay(frame: ClientFrame): boolean {
    const isSent = this.#port.send(frame);
    if (!isSent) this.#port.set({ notice: WORDS.notSentOffline });
    return isSent;
  }
}
