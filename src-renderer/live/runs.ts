import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import { cellName } from '../state/cellName.ts';
import type { NotebookView, RunWish } from '../state/notebookStore.ts';
import { notUpToDate } from '../state/tally.ts';
import { isUndecided, undecidedCode } from '../state/undecided.ts';
import { WORDS } from '../ui/strings.ts';
import { RUNNING_WORDS } from '../ui/words/running.ts';
import type { Edits, SessionPort } from './edits.ts';
import { addWish, mayRun, withoutVain } from './runWishes.ts';

export interface RunHooks {
  /** Leads the person to a cell whose text waits for their choice, for which a run was not sent. */
  readonly decide: (cellId: string) => void;
  readonly warn: (words: string) => void;
}

/**
 * Runs and cancels: what is asked of the server, and the runs that wait in this window for their turn. Edits always
 * go out first, on the same socket, so that a run sees them. A run that would run a cell of which another text is
 * shown than the server has is not sent: whoever asks for one is led to that cell.
 */
export class Runs {
  readonly #port: SessionPort;
  readonly #edits: Edits;
  readonly #hooks: RunHooks;
  /** The run-all that was asked for and has not begun. */
  allAsked: RunWish | null = null;

  constructor(port: SessionPort, edits: Edits, hooks: RunHooks) {
    this.#port = port;
    this.#edits = edits;
    this.#hooks = hooks;
  }

  /** @returns false where the person was led to a choice instead */
  run(cellId: string): boolean {
    return this.#ask({ type: 'cell_execute', payload: { cell_id: cellId } });
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
    const { cell_id, plan_id, cells_to_run } = prompt;
    this.#ask({ type: 'cell_execute_cascade', payload: { cell_id, plan_id } }, cells_to_run);
  }

  dismissPrompt(): void {
    const { model } = this.#port.view();
    this.#port.set({ model: { ...model, prompt: null } });
  }

  runAll(options: { rerun: boolean }): void {
    this.#edits.saveAll();
    if (!this.#isDecided(undecidedCode(this.#port.view()))) return;
    this.allAsked = { kind: 'all', rerun: options.rerun };
    const type = options.rerun ? 'notebook_rerun_all' : 'notebook_run_all';
    this.#sendOrSay({ type, payload: { continue_on_error: true } });
  }

  /** Runs every cell that is not up to date, upstreams first; each waits its turn in this window. */
  runStale(): void {
    this.#edits.saveAll();
    if (!this.#isDecided(undecidedCode(this.#port.view()))) return;
    const { model, waiting } = this.#port.view();
    const wishes = notUpToDate(model).map((cellId): RunWish => ({ kind: 'cell', cellId, stale: true }));
    this.#port.set({ waiting: wishes.reduce(addWish, waiting) });
    this.goOn();
  }

  /**
   * Runs several cells one after another, in the order given; each waits its turn.
   * @returns false where the person was led to a choice instead
   */
  runCells(cellIds: readonly string[]): boolean {
    this.#edits.saveAll();
    if (!this.#isDecided(cellIds)) return false;
    const wishes = cellIds.map((cellId): RunWish => ({ kind: 'cell', cellId }));
    this.#port.set({ waiting: wishes.reduce(addWish, this.#port.view().waiting) });
    this.goOn();
    return true;
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
    const undecided = undecidedOf(view, wish);
    if (undecided !== undefined) {
      // The person is elsewhere by now: it is said, and they stay where they are.
      this.#hooks.warn(RUNNING_WORDS.notRun(cellName(view.model, undecided)));
      this.goOn();
    } else if (wish.kind === 'cell') this.run(wish.cellId);
    else this.runAll({ rerun: wish.rerun });
  }

  /** `others`: cells that run with it. @returns false where the person was led to a choice instead */
  #ask(
    frame: ClientFrame & { readonly payload: { readonly cell_id: string } },
    others: readonly string[] = [],
  ): boolean {
    this.#edits.saveAll();
    const cellId = frame.payload.cell_id;
    if (!this.#isDecided([cellId, ...others])) return false;
    if (this.#sendOrSay(frame)) this.#port.set({ asked: { ...this.#port.view().asked, [cellId]: true } });
    return true;
  }

  /** Whether of each of these cells the text that is shown is the one that would run; else leads to the first. */
  #isDecided(cellIds: readonly string[]): boolean {
    const undecided = cellIds.find((id) => isUndecided(this.#port.view(), id));
    if (undecided !== undefined) this.#hooks.decide(undecided);
    return undecided === undefined;
  }

  #sendOrSay(frame: ClientFrame): boolean {
    const isSent = this.#port.send(frame);
    if (!isSent) this.#port.set({ notice: WORDS.notSentOffline });
    return isSent;
  }
}

/** The cell a wish would run with a text that is not the one shown. */
function undecidedOf(view: NotebookView, wish: RunWish): string | undefined {
  if (wish.kind === 'all') return undecidedCode(view)[0];
  return isUndecided(view, wish.cellId) ? wish.cellId : undefined;
}
