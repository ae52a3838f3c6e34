/**
 * One open notebook of this window: its store, its connection, and its reopening after its session has ended. Changes
 * are made by its parts `edits`, `runs` and `shape`. It computes no status and touches no DOM; `close()` ends it.
 */

import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { withNewSession } from '../state/applyFrame.ts';
import { withLostConnection } from '../state/cellConsole.ts';
import { cellName } from '../state/cellName.ts';
import { type WatchCell, watchCells } from '../state/changedCells.ts';
import { interruptedCells, runningCells } from '../state/interruptedCells.ts';
import type { LineMark, MergedEdits, NotebookStore, NotebookView } from '../state/notebookStore.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import type { OpenPackageRequest } from '../state/packageRequest.ts';
import { afterGroups, focusedShown, groupsOf, variantsToShow } from '../state/variants.ts';
import { toast } from '../ui/toastStore.ts';
import { CELL_CONSOLE_WORDS } from '../words/cellConsole.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import { listText, WORDS } from '../words/strings.ts';
import { AllTests } from './allTests.ts';
import { AppLayouts } from './appLayout.ts';
import { applyBatch } from './applyBatch.ts';
import { Assistant } from './assistant/assistant.ts';
import { InlineAsk } from './assistant/inlineAsk.ts';
import { Suggestions } from './assistant/suggestions.ts';
import { AutoRuns } from './autoRun.ts';
import { Connection } from './connection.ts';
import { type Connections, createConnections } from './connections.ts';
import { ConsoleActions } from './consoleActions.ts';
import { Controls } from './controls.ts';
import { DraftStorage } from './draftStorage.ts';
import { Edits, type SessionPort } from './edits.ts';
import { createLanguage, type Language } from './language.ts';
import { LiveWidgets } from './liveWidgets.ts';
import { newMergedEdits } from './newMergedEdits.ts';
import { NotebookShape } from './notebookShape.ts';
import { OrphanTexts } from './orphanTexts.ts';
import { callRoute, RestError } from './rest.ts';
import { Runs } from './runs.ts';
import { socketUrl } from './serverUrls.ts';
import type { SessionStart } from './sessionStart.ts';
import { createStructure } from './structure.ts';
import { Tests } from './tests.ts';
import { Undo } from './undo.ts';
import { UndoStorage } from './undoStorage.ts';
import { createVariables, type Variables } from './variables.ts';
import { createWorkers, recallTokens, type Workers } from './workers.ts';

const SYNC_GAP_MS = 1_000;
const FOCUS_MS = 200;

export class NotebookSession {
  readonly store: NotebookStore;
  readonly watchCell: WatchCell;
  readonly edits: Edits;
  readonly runs: Runs;
  readonly autoRuns: AutoRuns;
  readonly appLayouts: AppLayouts;
  readonly tests: Tests;
  readonly allTests: AllTests;
  readonly shape: NotebookShape;
  readonly orphanTexts: OrphanTexts;
  readonly keptDrafts: DraftStorage;
  readonly variables: Variables;
  readonly connections: Connections;
  readonly language: Language;
  readonly workers: Workers;
  readonly undo: Undo;
  readonly consoles: ConsoleActions;
  readonly widgets = new LiveWidgets((frame) => this.#connection.send(frame), toast);
  readonly controls: Controls;
  readonly assistant: Assistant;
  readonly ask: InlineAsk;
  readonly suggestions: Suggestions;
  readonly #keptUndo: UndoStorage;
  readonly #onSessionId: SessionStart['onSessionId'];
  readonly #role: 'editor' | 'viewer';
  #connection: Connection;
  /** True once a notebook_state has arrived on the current socket: then drafts may be sent. */
  #synced = false;
  #syncTimer: ReturnType<typeof setTimeout> | null = null;
  /** Removes the message with an *Undo* button once the button would undo a newer action. */
  #withdrawUndo: () => void = () => {};
  #focusTimer: ReturnType<typeof setTimeout> | null = null;
  #reopening = false;
  /** The cells that were running when the previous session was lost, until the new one has sent its state. */
  #ranBefore: readonly string[] = [];
  #closed = false;

  constructor(start: SessionStart) {
    const { sessionId, path, cellId = null, justOpened, role = 'editor' } = start;
    this.#role = role;
    this.store = createNotebookStore({ sessionId, path, cellId });
    this.watchCell = watchCells(this.store);
    const port: SessionPort = {
      view: () => this.#view(),
      set: (change) => this.#set(change),
      send: (frame) => this.#connection.send(frame),
      synced: () => this.#synced,
      typed: (...edit) => this.undo.typed(...edit),
    };
    const structure = createStructure(this.store);
    this.edits = new Edits(port);
    const decide = (cellId: string): void => this.decide(cellId, { unrun: true });
    this.autoRuns = new AutoRuns(port);
    if (role === 'editor') this.store.subscribe(this.autoRuns.changed);
    const warn = (words: string): void => void toast(words, { tone: 'warn' });
    this.runs = new Runs(port, this.edits, { decide, warn, requested: this.autoRuns.requested });
    this.consoles = new ConsoleActions(port);
    this.controls = new Controls(port);
    this.assistant = new Assistant({ ...port, mark: () => this.undo.mark() });
    this.tests = new Tests(port, { decide, say: (words) => this.say(words) });
    this.allTests = new AllTests(port, { tests: this.tests, say: (words) => this.say(words) });
    this.appLayouts = new AppLayouts(port, { undo: () => this.undo, say: warn });
    this.undo = new Undo({
      ...port,
      ...structure,
      setApp: (edit) => this.appLayouts.apply(edit),
      now: Date.now,
      write: (cellId, text) => this.edits.write(cellId, text),
      say: (words) => this.say(words),
      moved: () => {
        this.#withdrawUndo();
        this.#keptUndo.keep();
      },
    });
    this.#keptUndo = new UndoStorage({
      sessionId: () => this.#view().sessionId,
      history: () => this.undo.history,
      begin: (before, forgotten) => this.undo.begin(before, forgotten),
      say: (words) => this.say(words),
    });
    const say = (words: string, options = { undo: false }): void => this.say(words, options);
    this.shape = new NotebookShape({ ...port, structure, edits: this.edits, undo: this.undo, say });
    this.ask = new InlineAsk(this);
    const leaveOut = (): readonly string[] => this.assistant.store.getState().leaveOut;
    this.suggestions = new Suggestions({ ...port, leaveOut });
    this.orphanTexts = new OrphanTexts({
      ...port,
      recreate: (text) => this.shape.recreate(text),
      say: (name) => toast(EDITING_WORDS.deletedUnderText(name), { tone: 'warn' }),
    });
    this.keptDrafts = new DraftStorage(port, {
      offer: (cellId, draft) => this.edits.offer(cellId, draft),
      recreate: (text) => this.orphanTexts.take([text]),
      say: (words) => this.say(words),
    });
    this.store.subscribe((now, before) => this.keptDrafts.changed(now, before));
    this.variables = createVariables(this.store);
    this.connections = createConnections(this.store);
    this.language = createLanguage(this.store);
    this.workers = createWorkers(this.store);
    this.#onSessionId = start.onSessionId;
    this.#connection = this.#connect(sessionId, justOpened);
  }

  close(): void {
    this.edits.saveAll();
    this.#keptUndo.close();
    this.tests.close();
    this.keptDrafts.close();
    this.controls.close();
    this.assistant.close();
    this.ask.close();
    this.suggestions.close();
    this.#closed = true;
    this.edits.close();
    if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
    if (this.#focusTimer !== null) clearTimeout(this.#focusTimer);
    this.#connection.close();
  }

  // Focus and view
  // -----------------------------------------------------------------------------------------------------

  focus(cellId: string | null, mode: NotebookView['mode'] = 'command'): void {
    const view = this.#view();
    if (view.focusedId === cellId && view.mode === mode && view.anchorId === null) return;
    if (cellId !== null && view.leaving[cellId] !== undefined) return;
    if (view.editingTests !== null) this.#leaveTests(view.editingTests.cellId);
    if (view.focusedId !== null && view.focusedId !== cellId) this.edits.save(view.focusedId);
    this.#set({ focusedId: cellId, mode, anchorId: null, shownVariants: variantsToShow(view, cellId) });
    if (view.focusedId === cellId) return;
    if (this.#focusTimer !== null) clearTimeout(this.#focusTimer);
    this.#focusTimer = setTimeout(() => {
      const { focusedId, model } = this.#view();
      // An undo may have removed the cell meanwhile: the server would refuse, for a request the person did not make.
      const at = focusedId !== null && model.cells[focusedId] !== undefined ? focusedId : null;
      this.#connection.send({ type: 'cell_focus', payload: { cell_id: at } });
    }, FOCUS_MS);
  }

  /** Selects from the focused cell (or where the selection began) to this one. */
  extendTo(cellId: string): void {
    const view = this.#view();
    const anchor = view.anchorId ?? view.focusedId;
    if (anchor === null) this.focus(cellId, 'command');
    else this.#set({ focusedId: cellId, mode: 'command', anchorId: anchor === cellId ? null : anchor });
  }

  /** Returns the focus to the focused cell's card; a selection stays. */
  focusCard(cellId: string): void {
    const { focusedId, anchorId } = this.#view();
    if (focusedId !== cellId && anchorId === null) this.focus(cellId, 'command');
  }

  /** Moves the focus from a cell's text back to its card. */
  leaveEdit(): void {
    const { focusedId, mode, editingTests } = this.#view();
    if (editingTests !== null) this.#leaveTests(editingTests.cellId);
    if (focusedId === null || mode === 'command') return;
    this.edits.save(focusedId);
    this.#set({ mode: 'command' });
  }

  /** Goes to a cell whose text waits for the person's choice. `unrun`: a requested run was not sent because of it. */
  decide(cellId: string, options = { unrun: false }): void {
    this.focus(cellId, 'command');
    this.edits.lead(cellId, options);
  }

  /** Deletes cells immediately, as that can be undone; asks first if the file of one is not readable. */
  deleteCells(cellIds: readonly string[]): void {
    const { cells } = this.#view().model;
    const damagedId = cellIds.find((id) => cells[id]?.cell.file_problem !== undefined);
    if (damagedId === undefined) void this.shape.deleteCells(cellIds);
    else this.askDelete(damagedId);
  }

  /** Renders a cell now, even one far down in a long notebook. */
  want(cellId: string): void {
    this.#set({ wantedId: cellId, shownVariants: variantsToShow(this.#view(), cellId) });
  }

  /** Starts renaming a variant in its tab; null ends it. */
  nameVariant(cellId: string | null): void {
    this.#set({ namingVariant: cellId });
  }

  /** Starts renaming a cell or the notebook in place; null ends it. */
  name(naming: NotebookView['naming']): void {
    this.#set({ naming });
  }

  /** Shows the earlier texts of a cell; null closes them. */
  showHistory(cellId: string | null): void {
    this.#set({ historyOf: cellId });
  }

  /** Shows the edits that an outside change was merged with; null closes them. */
  showCameIn(edits: MergedEdits | null): void {
    this.#set({ cameIn: edits });
  }

  /** Shows or hides the iterations of a loop. */
  showIterations(cellId: string, isShown: boolean): void {
    const { [cellId]: _was, ...others } = this.#view().iterations;
    this.#set({ iterations: isShown ? { ...others, [cellId]: true } : others });
  }

  /** Folds or unfolds the outputs of cells. */
  fold(cellIds: readonly string[], folded: boolean): void {
    const next = { ...this.#view().folded };
    for (const id of cellIds) {
      if (folded) next[id] = true;
      else delete next[id];
    }
    this.#set({ folded: next });
  }

  /** Leaves the text of a cell's tests, and saves it. */
  #leaveTests(cellId: string): void {
    void this.tests.save(cellId);
    this.#set({ editingTests: null });
  }

  markLine(mark: LineMark): void {
    this.focus(mark.cellId, 'command');
    this.#set({ lineMark: mark });
  }

  askDelete(cellId: string | null): void {
    this.#set({ deletingId: cellId });
  }

  /** Opens the comparison of a cell's stored results; null closes it. */
  compare(cellId: string | null): void {
    this.#set({ comparingId: cellId });
  }

  /** Shows a change of the packages for confirmation, over the page; null closes it. */
  askPackages(askedPackages: OpenPackageRequest | null): void {
    this.#set({ askedPackages });
  }

  showDiagnostics(diagnosing: boolean): void {
    this.#set({ diagnosing });
  }

  dismissNotice(): void {
    this.#set({ notice: null, model: { ...this.#view().model, refusal: null } });
  }

  /** Shows one sentence in a toast; its *Undo* button disappears with the next action. */
  say(words: string, options = { undo: false }): void {
    const action = { label: EDITING_WORDS.undo, run: () => void this.undo.undo() };
    const dismiss = toast(words, options.undo ? { action } : {});
    if (options.undo) this.#withdrawUndo = dismiss;
  }

  // The connection ----------------------------------------------------------------------------------------------

  retryNow(): void {
    this.#connection.retryNow();
  }

  /** Opens the notebook's folder again after its session ended; the window continues where it was. */
  async reopen(): Promise<void> {
    const { path, sessionId } = this.#view();
    if (this.#reopening || this.#closed) return;
    if (path === null) return this.#over();
    this.#reopening = true;
    try {
      const answer = await callRoute('openNotebook', { body: { path } });
      if (this.#closed) return;
      if (answer.session_id !== sessionId || this.#view().link.kind === 'closed') {
        this.#moveTo(answer.session_id, answer.path);
      }
    } catch (error) {
      // No answer at all: the connection keeps retrying and checks again.
      if (!(error instanceof RestError)) throw error;
      if (error.status !== 0 || this.#view().link.kind === 'closed') this.#set({ notice: error.message });
    } finally {
      this.#reopening = false;
    }
  }

  /**
   * Whether the server still has the session; if not, the folder is opened again. For clients that may not list the
   * sessions, a socket refused before it opened means that the session has ended (docs/spec/live-protocol.md, 2).
   */
  async #find(sessionId: string, refused: boolean): Promise<boolean> {
    try {
      const { sessions } = await callRoute('listSessions', {});
      const here = sessions.find((session) => session.session_id === sessionId);
      if (here !== undefined) {
        this.#foundAt(here);
        return true;
      }
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      if (error.status === 0) return false;
      if (!refused) {
        await this.#learnPath();
        return true;
      }
    }
    await this.reopen();
    return false;
  }

  #moveTo(sessionId: string, path: string): void {
    this.#connection.close();
    this.#ranBefore = runningCells(this.#view().model);
    this.#set({ sessionId, path, model: withNewSession(this.#view().model), asked: {}, notice: null });
    this.#connection = this.#connect(sessionId, true);
    this.#onSessionId(sessionId, path);
  }

  #connect(sessionId: string, justOpened: boolean): Connection {
    return new Connection(
      { address: socketUrl(sessionId, this.#role), justOpened },
      {
        onFrames: (frames) => this.#apply(frames),
        onState: (state) => {
          this.#synced = false;
          if (state.kind === 'live') {
            this.#set({ link: state });
            if (this.#role === 'editor') void this.#keptUndo.read();
          } else this.#unlinked(state);
        },
        find: (refused) => this.#find(sessionId, refused),
        onUnreadable: (where) => this.#set({ notice: WORDS.unreadableFrame(where) }),
      },
    );
  }

  /** The connection is lost: pending answers are lost too, and whether requested runs have started is unknown. */
  #unlinked(link: NotebookView['link']): void {
    this.controls.unlinked();
    const { model } = this.#view();
    this.allTests.unlinked();
    const { cellConsoles: before } = model;
    const cellConsoles = withLostConnection(before, CELL_CONSOLE_WORDS.lost);
    this.#set({ link, asked: {}, ...(cellConsoles === before ? {} : { model: { ...model, cellConsoles } }) });
  }

  #apply(frames: readonly ReceivedFrame[]): void {
    const { model, asked, drafts } = this.#view();
    const own = { heldBack: this.edits.heldBack, synced: this.#synced, orphans: [] };
    const after = applyBatch({ model, asked, drafts, ...own }, frames, Date.now());
    this.edits.heldBack = after.heldBack;
    const hasArrived = after.synced && !this.#synced;
    this.#synced = after.synced;
    const before = this.#view();
    const shownVariants = afterGroups(
      before.shownVariants,
      groupsOf(before),
      groupsOf({ ...before, ...after }),
    );
    this.#set({
      model: after.model,
      asked: after.asked,
      drafts: after.drafts,
      shownVariants,
      focusedId: focusedShown({ ...before, model: after.model, shownVariants }),
    });
    for (const edits of newMergedEdits(before, this.#view())) {
      const { cellId, mine, text } = edits;
      this.undo.note('outside', [{ kind: 'source', cellId, before: mine, after: text }]);
      const action = { label: EDITING_WORDS.showCameIn, run: () => this.showCameIn(edits) };
      toast(EDITING_WORDS.mergedOutside(cellName(this.#view().model, cellId)), { action });
    }
    this.orphanTexts.take(after.orphans);
    if (hasArrived) this.orphanTexts.tryAgain();
    for (const part of [this.allTests, this.runs, this.undo, this.assistant, this.autoRuns, this.widgets])
      part.heard(frames);
    if (hasArrived) for (const part of [this.assistant, this.widgets]) part.linked();
    if (hasArrived && this.#role === 'editor') recallTokens(this.workers);
    if (hasArrived) this.#sayCutShort();
    if (after.model.closed === null) this.#afterFrames();
    else {
      this.#connection.close();
      this.#set({ link: { kind: 'closed' }, asked: {} });
    }
  }

  /** Reports runs that ended together with their server: they have no result, and no other message says so. */
  #sayCutShort(): void {
    const { model } = this.#view();
    const names = interruptedCells(this.#ranBefore, model).map((id) => cellName(model, id));
    this.#ranBefore = [];
    if (names.length > 0) this.#set({ notice: WORDS.cutShort(listText(names)) });
  }

  #afterFrames(): void {
    // Before the first state of a socket, a notebook_sync has already been sent.
    if (this.#synced) {
      if (this.#view().model.needsSync) this.#syncSoon();
      this.edits.goOn();
      this.controls.goOn();
      if (this.#role === 'editor') this.tests.goOn();
      if (this.#role === 'editor') this.keptDrafts.goOn();
    }
    this.runs.goOn();
  }

  /** Requests the state after a gap, at most once a second, so that two windows do not trigger each other endlessly. */
  #syncSoon(): void {
    if (this.#syncTimer !== null) return;
    this.#connection.send({ type: 'notebook_sync', payload: {} });
    this.#syncTimer = setTimeout(() => {
      this.#syncTimer = null;
      if (this.#view().model.needsSync) this.#syncSoon();
    }, SYNC_GAP_MS);
  }

  /** Stores the notebook's folder, and puts it into the page's URL, if it was not known. */
  #foundAt({ session_id, path }: { readonly session_id: string; readonly path: string }): void {
    if (this.#view().path !== null) return;
    this.#set({ path });
    this.#onSessionId(session_id, path);
  }

  /** Requests the folder, for clients that may not list the sessions. */
  async #learnPath(): Promise<void> {
    if (this.#view().path !== null) return;
    try {
      this.#foundAt(await callRoute('getSession', { params: { sid: this.#view().sessionId } }));
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      if (error.status === 404) this.#over();
    }
  }

  /** The session has ended for good: no more attempts. */
  #over(): void {
    this.#connection.close();
    this.#set({ problem: WORDS.sessionGoneNoPath, link: { kind: 'closed' }, asked: {} });
  }

  #view(): NotebookView {
    return this.store.getState();
  }

  #set(change: Partial<NotebookView>): void {
    if (!this.#closed) this.store.setState(change);
  }
}
