/**
 * Copies, cuts and pastes cells by the clipboard. The keys `c`, `x`, `v` and the menus store them in localStorage for
 * every window of this server, and write their text to the system clipboard. The browser's own copy and paste (Ctrl+C,
 * Ctrl+V) carry both text and cells. Reading the system clipboard in any other way needs a permission, which is used if
 * already granted and never requested.
 */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { withoutPrompts } from '../../src-shared/notebook/promptText.ts';
import type { ClipCell } from '../commands/cellClipboard.ts';
import {
  blocksOf,
  CELLS_TYPE,
  cellsToPaste,
  clipOf,
  isScript,
  parseClip,
} from '../commands/cellClipboard.ts';
import { addDataFiles } from '../live/addDataFiles.ts';
import type { NotebookSession } from '../live/notebookSession.ts';
import { shownSource } from '../state/notebookStore.ts';
import { selectedIds } from '../state/selection.ts';
import { droppedItems } from '../ui/droppedItems.ts';
import { toast } from '../ui/toastStore.ts';
import { EDITING_WORDS } from '../words/editing.ts';

const KEY = 'cellar.clip';
/** Used where localStorage is forbidden or full. */
let inThisWindow: string | null = null;

function keep(json: string): void {
  inThisWindow = json;
  try {
    // Removed first: if the new cells do not fit into the storage, the old ones must not be pasted in their place.
    localStorage.removeItem(KEY);
    localStorage.setItem(KEY, json);
  } catch (error) {
    console.warn(
      'copied cells cannot be stored in this browser, so they can be pasted in this window only',
      error,
    );
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY) ?? inThisWindow;
  } catch (_forbidden) {
    return inThisWindow;
  }
}

function selectedCells(session: NotebookSession): { ids: readonly string[]; cells: readonly ClipCell[] } {
  const view = session.store.getState();
  const ids = selectedIds(view).filter((id) => view.model.cells[id] !== undefined);
  const cells = ids.map((id) => ({
    language: view.model.cells[id]?.cell.language ?? ('python' as const),
    source: shownSource(view, id),
  }));
  return { ids, cells };
}

/** Copies the selected cells; with `cut`, also deletes them. */
export function copyCells(session: NotebookSession, options: { cut: boolean }): void {
  const { ids, cells } = selectedCells(session);
  if (cells.length === 0) return;
  const clip = clipOf(cells);
  keep(JSON.stringify(clip));
  navigator.clipboard?.writeText(clip.text).catch((error: unknown) => {
    console.warn('writing to the system clipboard failed', error);
    toast(EDITING_WORDS.clipboardRefused, { tone: 'warn' });
  });
  if (options.cut) void session.shape.deleteCells(ids, 'cut');
  else toast(EDITING_WORDS.copied(cells.length));
}

/** Pastes the cells that were copied last here or, if reading the system clipboard is allowed, elsewhere. */
export async function pasteCells(session: NotebookSession, place: 'below' | 'above'): Promise<void> {
  const text = (await mayRead()) ? await readText() : null;
  const cells = cellsToPaste({ text, clip: parseClip(stored()) });
  if (cells.length === 0) toast(EDITING_WORDS.nothingToPaste);
  else await insert(session, cells, place);
}

async function mayRead(): Promise<boolean> {
  try {
    // `PermissionName` lacks this name, which Chromium supports.
    const name = 'clipboard-read' as PermissionName;
    return (await navigator.permissions.query({ name })).state === 'granted';
  } catch (_unknownName) {
    return false;
  }
}

async function readText(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch (error) {
    console.warn('the system clipboard could not be read', error);
    return null;
  }
}

/** Offers to split a pasted script into several cells. */
function offerSplit(session: NotebookSession, cellId: string, pasted: string): void {
  const source = withoutPrompts(pasted) ?? pasted;
  if (!isScript(source)) return;
  toast(EDITING_WORDS.pastedScript, {
    action: {
      label: EDITING_WORDS.splitInto(blocksOf(source).length),
      // The split includes text typed since the paste.
      run: () =>
        void session.shape.splitInto(cellId, blocksOf(shownSource(session.store.getState(), cellId))),
    },
  });
}

async function insert(
  session: NotebookSession,
  cells: readonly ClipCell[],
  place: 'below' | 'above',
): Promise<void> {
  const view = session.store.getState();
  const ids = selectedIds(view);
  const { order } = view.model;
  const above = order[order.indexOf(ids[0] ?? '') - 1];
  if (place === 'below' || ids.length === 0) {
    await session.shape.insertCells(cells, { afterId: ids.at(-1) ?? null, deed: 'paste' });
    return;
  }
  await session.shape.insertCells(cells, {
    afterId: above ?? null,
    atTop: above === undefined,
    deed: 'paste',
  });
}

/**
 * Handles the browser's copy, cut and paste while no text is edited or selected.
 * @returns a function that stops it
 */
export function followClipboard(session: NotebookSession): () => void {
  const isOurs = (event: ClipboardEvent): boolean => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return false;
    if (event.target.closest('input, textarea, select, [data-editor], [role=dialog], [contenteditable]'))
      return false;
    return true;
  };
  const copy = (event: ClipboardEvent): void => {
    if (!isOurs(event) || window.getSelection()?.isCollapsed === false) return;
    const { ids, cells } = selectedCells(session);
    if (cells.length === 0 || event.clipboardData === null) return;
    const clip = clipOf(cells);
    event.preventDefault();
    event.clipboardData.setData('text/plain', clip.text);
    event.clipboardData.setData(CELLS_TYPE, JSON.stringify(clip));
    keep(JSON.stringify(clip));
    if (event.type === 'cut') void session.shape.deleteCells(ids, 'cut');
    else toast(EDITING_WORDS.copied(cells.length));
  };
  const paste = (event: ClipboardEvent): void => {
    if (!isOurs(event) || event.clipboardData === null) return;
    const files = droppedItems(event.clipboardData);
    // A table copied from a spreadsheet has a text and a picture; the text is used.
    if (files.length > 0 && event.clipboardData.getData('text/plain') === '') {
      event.preventDefault();
      void addDataFiles(session, files);
      return;
    }
    const own = parseClip(event.clipboardData.getData(CELLS_TYPE));
    const text = event.clipboardData.getData('text/plain');
    const cells = own?.cells ?? cellsToPaste({ text, clip: parseClip(stored()) });
    if (cells.length === 0) return;
    event.preventDefault();
    void insert(session, cells, 'below').then(() => {
      const { focusedId } = session.store.getState();
      if (own === null && cells.length === 1 && focusedId !== null) offerSplit(session, focusedId, text);
    });
  };
  /** Handles a script pasted into the text of an empty cell. */
  const pasteText = (event: ClipboardEvent): void => {
    const view = session.store.getState();
    const { focusedId } = view;
    if (!(event.target instanceof Element) || event.target.closest('[data-editor]') === null) return;
    if (focusedId === null || shownSource(view, focusedId).trim() !== '') return;
    if (factsOf(view.model.cells[focusedId]?.cell)?.hasServices)
      offerSplit(session, focusedId, event.clipboardData?.getData('text/plain') ?? '');
  };
  document.addEventListener('paste', pasteText, true);
  document.addEventListener('copy', copy);
  document.addEventListener('cut', copy);
  document.addEventListener('paste', paste);
  return () => {
    document.removeEventListener('paste', pasteText, true);
    document.removeEventListener('copy', copy);
    document.removeEventListener('cut', copy);
    document.removeEventListener('paste', paste);
  };
}
