/** Runs the tests of all cells, one cell after another, because a test run holds the notebook. */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { cellName } from '../state/cellName.ts';
import { shownTests, type TestSum, withTestResult } from '../state/cellTests.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { TEST_WORDS as W } from '../words/tests.ts';
import type { SessionPort } from './edits.ts';
import type { Tests } from './tests.ts';

/** The cells that have tests, in the notebook's order. */
export function testedCells(view: NotebookView): readonly string[] {
  return view.model.order.filter(
    (id) => factsOf(view.model.cells[id]?.cell)?.hasTests === true && shownTests(view, id).trim() !== '',
  );
}

/**
 * Runs the tests of all cells, one cell at a time, because a test run holds the notebook. States: idle (`testQueue`
 * null) -> one cell under test, the others waiting -> idle, with a summary. A refused test run, a missing pytest and a
 * lost connection end it with a message; so does `stop`.
 */
export class AllTests {
  readonly #port: SessionPort;
  readonly #tests: Tests;
  readonly #say: (words: string) => void;
  #sum: TestSum = { passed: 0, failed: 0, failedIn: [] };

  constructor(port: SessionPort, parts: { readonly tests: Tests; readonly say: (words: string) => void }) {
    this.#port = port;
    this.#tests = parts.tests;
    this.#say = parts.say;
  }

  async run(): Promise<void> {
    const view = this.#port.view();
    if (view.testQueue !== null) return;
    const remaining = testedCells(view);
    this.#sum = { passed: 0, failed: 0, failedIn: [] };
    await this.#next(remaining, remaining.length);
  }

  /** Stops the queue and the tests that are running. */
  async stop(): Promise<void> {
    const { testQueue } = this.#port.view();
    if (testQueue === null) return;
    this.#port.set({ testQueue: null });
    await this.#tests.stop(testQueue.now);
  }

  heard(frames: readonly ReceivedFrame[]): void {
    for (const frame of frames) this.#heardOne(frame);
  }

  /** The connection is lost: no more frames arrive about the running tests. */
  unlinked(): void {
    if (this.#port.view().testQueue !== null) this.#port.set({ testQueue: null, notice: W.allLost });
  }

  #heardOne(frame: ReceivedFrame): void {
    const { testQueue, model } = this.#port.view();
    if (testQueue === null) return;
    const { now, left: remaining, total } = testQueue;
    if (frame.type === 'error' && frame.payload.cell_id === now) {
      this.#port.set({ testQueue: null });
    } else if (frame.type === 'cell_test_results' && frame.payload.cell_id === now) {
      this.#sum = withTestResult(this.#sum, cellName(model, now), frame.payload);
      // Each of the remaining cells would try to install pytest again.
      if (frame.payload.pytest_unavailable) this.#end(frame.payload.problem ?? W.noPytest);
    } else if (frame.type === 'cell_test_status' && frame.payload.cell_id === now) {
      if (frame.payload.status !== 'running') void this.#next(remaining, total);
    }
  }

  async #next(waiting: readonly string[], total: number): Promise<void> {
    const [now, ...remaining] = waiting.filter((id) => this.#port.view().model.cells[id] !== undefined);
    if (now === undefined) return this.#end(W.allDone(this.#sum));
    this.#port.set({ testQueue: { now, left: remaining, total } });
    const hasBegun = await this.#tests.begin(now);
    const isStopped = this.#port.view().testQueue?.now !== now;
    if (hasBegun && isStopped) await this.#tests.stop(now);
    if (hasBegun || isStopped) return;
    // The text could not be saved, or there is no connection: the reason is shown beside the tests or above them.
    this.#tests.show(now, true);
    this.#port.set({ testQueue: null });
  }

  #end(words: string): void {
    this.#port.set({ testQueue: null });
    this.#say(words);
  }
}
