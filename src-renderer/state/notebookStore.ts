/** The store of one open notebook: the model, the drafts, and the state of this window. */

import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';
import type { AppEdit } from '../../src-shared/wire/appLayout.ts';
import type { Drafts } from './drafts.ts';
import { readFoldedSections } from './foldedSections.ts';
import type { NotebookModel } from './notebookModel.ts';
import { emptyNotebook } from './notebookModel.ts';
import type { OrphanText } from './orphans.ts';
import type { OpenPackageRequest } from './packageRequest.ts';
import type { PendingValues } from './pendingValues.ts';

/** The connection to the server; `lost` keeps retrying. */
type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly retryAtMs: number }
  | { readonly kind: 'closed' };

/** The line to show after a click in a traceback, counted from 1. */
export interface LineMark {
  readonly cellId: string;
  readonly line: number;
}

/** The tests being edited. A new object moves the caret to the requested line. */
interface TestEdit {
  readonly cellId: string;
  readonly entered: number;
  /** Counted from 1; null for any line. */
  readonly line: number | null;
}

/** The progress while the tests of all cells run, one cell after another. */
interface TestQueue {
  /** The cell whose tests are running. */
  readonly now: string;
  readonly left: readonly string[];
  readonly total: number;
}

/** Tests that were typed in this window and are not saved yet. */
export interface TestDraft {
  readonly text: string;
  /** The saved text that they are based on. */
  readonly base: string;
  /** Whether the same lines were changed elsewhere. Nothing is saved then until the user has chosen a text. */
  readonly refused: boolean;
}

/** A cell into which others' changes were merged. */
export interface MergedEdits {
  readonly cellId: string;
  /** The cell's text with only this window's changes. */
  readonly mine: string;
  /** The cell's text with both changes. */
  readonly text: string;
  /** The text with only the others' changes; null if unknown. */
  readonly theirs: string | null;
}

/** The state of one notebook window. `model` is what the server sent; the rest belongs to this window. */
export interface NotebookView {
  readonly sessionId: string;
  readonly path: string | null;
  readonly model: NotebookModel;
  readonly link: Link;
  readonly drafts: Drafts;
  readonly focusedId: string | null;
  readonly mode: 'command' | 'edit';
  /** The other end of a selection that ends at the focused cell; null if only one cell is selected. */
  readonly anchorId: string | null;
  /** A cell that must be rendered although it is not focused: it contains a match to show. */
  readonly wantedId: string | null;
  /** What is being renamed in place: a cell's id, or the notebook; null if nothing is. */
  readonly naming: { readonly cellId: string } | 'notebook' | null;
  /** The variant whose tab is being renamed; null if none is. */
  readonly namingVariant: string | null;
  /** The member that this window shows of each variant group, if it is not the active one. */
  readonly shownVariants: Readonly<Record<string, string>>;
  /** Cells whose outputs are collapsed. */
  readonly folded: Readonly<Record<string, true>>;
  /** Text cells whose section is folded: the cells below the heading are hidden. */
  readonly foldedSections: Readonly<Record<string, true>>;
  /** Loops whose iterations are shown. */
  readonly iterations: Readonly<Record<string, true>>;
  /** The cell whose console is shown, or null. */
  readonly shownConsoleId: string | null;
  /** How often a console was requested: each request focuses its prompt. */
  readonly consoleFocusRequests: number;
  /** Cells whose tests are shown, unsaved tests, and the cell whose tests are being edited. */
  readonly tests: Readonly<Record<string, true>>;
  readonly testDrafts: Readonly<Record<string, TestDraft>>;
  readonly editingTests: TestEdit | null;
  readonly testQueue: TestQueue | null;
  /** What an undo and a redo would change; null if there is nothing to undo or redo. */
  readonly undo: string | null;
  readonly redo: string | null;
  /** How many undoable actions the server has not answered yet; an undo waits for them. */
  readonly pendingActions: number;
  /** Cells whose run was requested and that no frame has mentioned since. */
  readonly asked: Readonly<Record<string, true>>;
  /** The values of controls, by cell, that were set in this window and that the server has not confirmed. */
  readonly moves: Readonly<Record<string, PendingValues>>;
  /** Cells whose deletion the server has not confirmed; they are already hidden. */
  readonly leaving: Readonly<Record<string, true>>;
  readonly lineMark: LineMark | null;
  /** Texts whose cells were deleted elsewhere, until they are in a new cell. */
  readonly orphanTexts: readonly OrphanText[];
  /** The cell whose earlier texts are shown, or null. */
  readonly historyOf: string | null;
  /** The cell with merged changes whose dialog is open, or null. */
  readonly cameIn: MergedEdits | null;
  /** The cell whose deletion must be confirmed, or null. */
  readonly deletingId: string | null;
  /** The cell whose stored results are being compared, or null. */
  readonly comparingId: string | null;
  /** The change of packages in the open dialog. */
  readonly askedPackages: OpenPackageRequest | null;
  /** Changes of the app view's layout that are being sent, oldest first. */
  readonly appEdits: readonly AppEdit[];
  /** Whether the diagnostics of the environment are open. */
  readonly diagnosing: boolean;
  /** Why no notebook can be shown: it could not be opened, or its session has ended for good. */
  readonly problem: string | null;
  /** An error message, until it is dismissed. */
  readonly notice: string | null;
}

export type NotebookStore = StoreApi<NotebookView>;

export function createNotebookStore(start: {
  sessionId: string;
  path: string | null;
  cellId?: string | null;
}): NotebookStore {
  return createStore<NotebookView>(() => ({
    sessionId: start.sessionId,
    path: start.path,
    model: emptyNotebook,
    link: { kind: 'connecting' },
    drafts: {},
    focusedId: start.cellId ?? null,
    mode: 'command',
    anchorId: null,
    wantedId: null,
    naming: null,
    namingVariant: null,
    shownVariants: {},
    folded: {},
    foldedSections: Object.fromEntries(readFoldedSections(start.path).map((id) => [id, true as const])),
    iterations: {},
    shownConsoleId: null,
    consoleFocusRequests: 0,
    tests: {},
    testDrafts: {},
    editingTests: null,
    testQueue: null,
    undo: null,
    redo: null,
    pendingActions: 0,
    asked: {},
    moves: {},
    leaving: {},
    lineMark: null,
    orphanTexts: [],
    historyOf: null,
    cameIn: null,
    deletingId: null,
    comparingId: null,
    askedPackages: null,
    appEdits: [],
    diagnosing: false,
    problem: null,
    notice: null,
  }));
}

/** The source that is shown: the draft if there is one, otherwise the server's. */
export function shownSource(view: NotebookView, cellId: string): string {
  return view.drafts[cellId]?.text ?? view.model.cells[cellId]?.cell.source ?? '';
}
