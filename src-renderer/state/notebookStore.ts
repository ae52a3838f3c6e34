/** The store of one open notebook: the model, drafts and marks of this window. */

import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';
import type { AppEdit } from '../../src-shared/wire/appLayout.ts';
import type { Drafts } from './drafts.ts';
import { readSections } from './keptSections.ts';
import type { PendingValues } from './moves.ts';
import type { NotebookModel } from './notebookModel.ts';
import { emptyNotebook } from './notebookModel.ts';
import type { OrphanText } from './orphans.ts';
import type { AskedPackages } from './packageRequest.ts';

/** The connection to the server; `lost` keeps retrying. */
type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly retryAtMs: number }
  | { readonly kind: 'closed' };

/** A click in a traceback: the line to show, counted from 1. */
export interface LineMark {
  readonly cellId: string;
  readonly line: number;
}

/** The tests being edited: entered once more, the caret goes to where it is wanted then. */
interface TestEdit {
  readonly cellId: string;
  readonly entered: number;
  /** Counted from 1; null: anywhere. */
  readonly line: number | null;
}

/** The tests of all cells, while they run one after the other. */
interface TestQueue {
  /** The cell whose tests are on. */
  readonly now: string;
  readonly left: readonly string[];
  readonly total: number;
}

/** Tests as they were typed here and are not saved yet. */
export interface TestDraft {
  readonly text: string;
  /** The text of the file that they were made from. */
  readonly base: string;
  /** The same lines were changed elsewhere: nothing is saved until the person has chosen a text. */
  readonly refused: boolean;
}

/** What one notebook window holds. `model` is the server's word; the rest is this window's own. */
/** A cell that got others' changes beside what was typed in it. */
export interface MergedEdits {
  readonly cellId: string;
  /** What it was with this window's text alone. */
  readonly mine: string;
  /** What it was with both. */
  readonly text: string;
  /** What the others' text was; null where it is not known. */
  readonly theirs: string | null;
}

export interface NotebookView {
  readonly sessionId: string;
  readonly path: string | null;
  readonly model: NotebookModel;
  readonly link: Link;
  readonly drafts: Drafts;
  readonly focusedId: string | null;
  readonly mode: 'command' | 'edit';
  /** The other end of a selection of several cells, which the focused cell ends; null when none is selected. */
  readonly anchorId: string | null;
  /** A cell that has to be in the page though it has no focus: a match that is to be shown. */
  readonly wantedId: string | null;
  /** What is being given a name in its place: a cell's id, or the notebook; null while nothing is. */
  readonly naming: { readonly cellId: string } | 'notebook' | null;
  /** Of which variant the name is being changed in its tab; null while none is. */
  readonly namingVariant: string | null;
  /** By group of variants: the member looked at here, where that is not the active one. */
  readonly shownVariants: Readonly<Record<string, string>>;
  /** Cells whose outputs are folded away. */
  readonly folded: Readonly<Record<string, true>>;
  /** Text cells whose section is folded: the cells below the heading are left out of the column. */
  readonly foldedSections: Readonly<Record<string, true>>;
  /** Loops whose iterations are looked at. */
  readonly iterations: Readonly<Record<string, true>>;
  /** The cell whose console is shown; null while none is. */
  readonly insideId: string | null;
  /** How often a console was requested: each request focuses its prompt. */
  readonly insideAsked: number;
  /** Cells whose tests are looked at, what was typed of them and is not saved yet, and the cell whose tests are edited. */
  readonly tests: Readonly<Record<string, true>>;
  readonly testDrafts: Readonly<Record<string, TestDraft>>;
  readonly editingTests: TestEdit | null;
  readonly testQueue: TestQueue | null;
  /** What an undo and a redo would be about; null where there is nothing. */
  readonly undo: string | null;
  readonly redo: string | null;
  /** Cells whose run was requested and not yet answered by any frame. */
  readonly asked: Readonly<Record<string, true>>;
  /** By cell: what controls were moved to here and the server has not answered yet. */
  readonly moves: Readonly<Record<string, PendingValues>>;
  /** Cells whose delete the server has not answered: the person is done with them, so they are not shown. */
  readonly leaving: Readonly<Record<string, true>>;
  readonly lineMark: LineMark | null;
  /** Texts whose cells another person deleted, each until a new cell has it. */
  readonly orphanTexts: readonly OrphanText[];
  /** The cell whose earlier texts are looked at; null while none are. */
  readonly historyOf: string | null;
  /** Of an outside change that was taken in: what is looked at; null while nothing is. */
  readonly cameIn: MergedEdits | null;
  /** The cell whose deletion waits for confirmation. */
  readonly deletingId: string | null;
  /** The cell whose stored results are being compared. */
  readonly comparingId: string | null;
  /** The change of packages that is looked at over the page. */
  readonly askedPackages: AskedPackages | null;
  /** Changes of the app view's layout that are being sent, oldest first. */
  readonly appEdits: readonly AppEdit[];
  /** Whether the diagnostics of the environment are open. */
  readonly diagnosing: boolean;
  /** Why there is no notebook to show: it could not be opened, or its session has ended for good. */
  readonly problem: string | null;
  /** One sentence about something that did not work, until it is dismissed. */
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
    foldedSections: Object.fromEntries(readSections(start.path).map((id) => [id, true as const])),
    iterations: {},
    insideId: null,
    insideAsked: 0,
    tests: {},
    testDrafts: {},
    editingTests: null,
    testQueue: null,
    undo: null,
    redo: null,
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

/** The source a person sees: their own draft before the server's. */
export function shownSource(view: NotebookView, cellId: string): string {
  return view.drafts[cellId]?.text ?? view.model.cells[cellId]?.cell.source ?? '';
}
