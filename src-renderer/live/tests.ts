/** Saves and runs the tests of cells (pytest code that belongs to a cell), and keeps unsaved test texts. */

import { applyOwnTests } from '../state/applyFrame.ts';
import { shownTests } from '../state/cellTests.ts';
import { undecidedBefore } from '../state/undecided.ts';
import { WORDS } from '../words/strings.ts';
import type { SessionPort } from './edits.ts';
import { callRoute, RestError } from './rest.ts';
import { TestDraftStorage } from './testDraftStorage.ts';

const AUTOSAVE_MS = 800;

/** The most bytes of requests that outlive the page: half of the browsers' limit for all of them. */
const LEAVING_BYTES = 32 * 1024;

interface TestHooks {
  readonly say: (words: string) => void;
  /** Focuses a cell whose text waits for the person's choice. */
  readonly decide: (cellId: string) => void;
}

/**
 * Editing and running of cells' tests: typed text is stored immediately and saved after a short pause; a run saves it
 * first. A refusal is reported, and the text stays here and as a draft beside the notebook (`TestDraftStorage`).
 * `close()` saves what is pending and ends the timers.
 */
export class Tests {
  readonly #port: SessionPort;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #kept: TestDraftStorage;
  readonly #hooks: TestHooks;

  constructor(port: SessionPort, hooks: TestHooks) {
    this.#port = port;
    this.#hooks = hooks;
    this.#kept = new TestDraftStorage(port, {
      say: hooks.say,
      offer: (cellId, draft) => {
        this.show(cellId, true);
        this.#port.set({ testDrafts: { ...this.#port.view().testDrafts, [cellId]: draft } });
        // If the file has changed meanwhile, the save is refused and the person is asked again.
        void this.save(cellId);
      },
    });
  }

  close(): void {
    for (const cellId of [...this.#timers.keys()]) void this.save(cellId);
    this.#kept.close();
  }

  /** Called when the notebook's current state has arrived. */
  goOn(): void {
    void this.#kept.read();
  }

  /** Saves what is pending, because the page may close immediately. @returns whether text would be lost with it */
  leaving(): boolean {
    const { testDrafts, link } = this.#port.view();
    const unsafe = Object.entries(testDrafts).filter(([id, draft]) => !this.#kept.holds(id, draft.text));
    for (const [id, draft] of unsafe) {
      if (draft.refused) this.#kept.keepNow(id, draft, { keepalive: true });
      else void this.save(id, { keepalive: true });
    }
    // At most four bytes per character, for the text and its base.
    const bytes = unsafe.reduce((sum, [, { text, base }]) => sum + 4 * (text.length + base.length), 0);
    return unsafe.length > 0 && (link.kind !== 'live' || bytes > LEAVING_BYTES);
  }

  show(cellId: string, isShown: boolean): void {
    const { tests, editingTests } = this.#port.view();
    const { [cellId]: _was, ...others } = tests;
    this.#port.set({
      tests: isShown ? { ...others, [cellId]: true } : others,
      ...(isShown || editingTests?.cellId !== cellId ? {} : { editingTests: null }),
    });
  }

  /** Edits the text of a cell's tests, at a given line if requested. */
  edit(cellId: string, line: number | null = null): void {
    this.show(cellId, true);
    const entered = (this.#port.view().editingTests?.entered ?? 0) + 1;
    const editingTests = { cellId, entered, line };
    this.#port.set({ focusedId: cellId, mode: 'command', anchorId: null, editingTests });
  }

  type(cellId: string, text: string): void {
    const view = this.#port.view();
    if (shownTests(view, cellId) === text) return;
    const saved = view.model.cells[cellId]?.cell.test_source ?? '';
    const { base = saved, refused = false } = view.testDrafts[cellId] ?? {};
    this.#port.set({ testDrafts: { ...view.testDrafts, [cellId]: { text, base, refused } } });
    if (refused) this.#kept.keepSoon(cellId);
    clearTimeout(this.#timers.get(cellId));
    this.#timers.set(
      cellId,
      setTimeout(() => void this.save(cellId), AUTOSAVE_MS),
    );
  }

  /** Puts a text into a cell's tests, shows and saves it. */
  async write(cellId: string, text: string): Promise<void> {
    this.show(cellId, true);
    this.type(cellId, text);
    await this.save(cellId);
  }

  /** Saves the draft. True if the server has the text. */
  async save(cellId: string, options: { keepalive?: boolean } = {}): Promise<boolean> {
    clearTimeout(this.#timers.get(cellId));
    this.#timers.delete(cellId);
    const { sessionId, testDrafts, model } = this.#port.view();
    const draft = testDrafts[cellId];
    if (draft === undefined) return true;
    // The texts conflict: the person chooses which one stays.
    if (draft.refused) return false;
    const { text, base } = draft;
    let file = text;
    if (text !== model.cells[cellId]?.cell.test_source) {
      try {
        const params = { sid: sessionId, cell_id: cellId };
        const cell = await callRoute('setCellTests', { params, body: { source: text, base } }, options);
        file = cell.test_source;
      } catch (error) {
        if (!(error instanceof RestError)) throw error;
        if (error.code === 'source_changed_on_disk') this.#refused(cellId);
        else this.#port.set({ notice: error.message });
        this.#kept.keepSoon(cellId);
        return false;
      }
    }
    this.#settle(cellId, { sent: text, file });
    return true;
  }

  /** Settles a conflict: the person has seen the file's current text and keeps their own. */
  async keepMine(cellId: string): Promise<void> {
    const { testDrafts, model } = this.#port.view();
    const draft = testDrafts[cellId];
    if (draft === undefined) return;
    const base = model.cells[cellId]?.cell.test_source ?? '';
    this.#port.set({ testDrafts: { ...testDrafts, [cellId]: { ...draft, base, refused: false } } });
    await this.save(cellId);
  }

  takeTheirs(cellId: string): void {
    const { [cellId]: _mine, ...testDrafts } = this.#port.view().testDrafts;
    this.#port.set({ testDrafts });
    this.#kept.forget(cellId);
  }

  /** Shows, saves and runs a cell's tests. */
  async run(cellId: string): Promise<void> {
    this.show(cellId, true);
    await this.begin(cellId);
  }

  /** Saves and runs the tests, after the cells above if necessary. True if the request was sent. */
  async begin(cellId: string): Promise<boolean> {
    if (!(await this.save(cellId))) return false;
    // With an unsettled draft, the tests would run against another text than the one shown.
    const undecided = undecidedBefore(this.#port.view(), cellId);
    if (undecided !== undefined) {
      this.#hooks.decide(undecided);
      return false;
    }
    const text = shownTests(this.#port.view(), cellId);
    // The text was just saved: if the file has further changes by the time of the run, they are others' and stay.
    const payload = { cell_id: cellId, test_source: text, base: text };
    if (this.#port.send({ type: 'cell_run_tests', payload })) return true;
    this.#port.set({ notice: WORDS.notSentOffline });
    return false;
  }

  async stop(cellId: string): Promise<void> {
    try {
      const params = { sid: this.#port.view().sessionId, cell_id: cellId };
      await callRoute('cancelCellTests', { params });
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#port.set({ notice: error.message });
    }
  }

  #refused(cellId: string): void {
    const { testDrafts } = this.#port.view();
    const draft = testDrafts[cellId];
    if (draft === undefined) return;
    this.#port.set({ testDrafts: { ...testDrafts, [cellId]: { ...draft, refused: true } } });
  }

  /** Settles a save: the file has the sent text, perhaps merged with other lines; text typed since stays as a draft. */
  #settle(cellId: string, { sent, file }: { readonly sent: string; readonly file: string }): void {
    const { testDrafts, model } = this.#port.view();
    const { [cellId]: draft, ...others } = testDrafts;
    const typedOn = draft !== undefined && draft.text !== sent;
    this.#port.set({
      model: applyOwnTests(model, cellId, file),
      testDrafts: typedOn ? { ...others, [cellId]: { ...draft, base: sent } } : others,
    });
    this.#kept.forget(cellId);
  }
}
