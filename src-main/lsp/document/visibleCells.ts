/** Chooses the cells that are in the document for the language server: the edited cell and those it reads from. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { LanguageCell, NotebookText } from './notebookText.ts';
import type { Segment } from './virtualDocument.ts';

/** The names that the harness adds to every cell, and those that our own lines use. */
const PROLOGUE = [
  'from typing import Any as __cellar_any',
  'import pandas as __cellar_pandas',
  'from IPython.display import Markdown as Markdown',
  'def display(*values: object) -> None:',
  '    """Show values below the cell."""',
  'class __cellar_client:',
  '    SvcError = Exception',
  '    def materialize(self, inputs, *, columns=None, filters=None, snapshot_id=None, sql=None, executor=None, params=None, name=None, refresh=False) -> __cellar_any: ...',
  '    def get(self, artifact) -> __cellar_any: ...',
  '    def put(self, data, *, name=None, inputs=(), params=None) -> str: ...',
  '    def set_name(self, name, artifact) -> None: ...',
  '    def set_alias(self, name, alias, artifact=None) -> str: ...',
  '    def set_tag(self, artifact, key, value) -> None: ...',
  '    def tags(self, artifact) -> dict[str, str]: ...',
  '    def aliases(self, name) -> dict[str, str]: ...',
  '    def resolve(self, name, default=None) -> __cellar_any: ...',
  '    def resolve_alias(self, name, alias, default=None) -> __cellar_any: ...',
  '    def resolve_version(self, artifact_id, version) -> str: ...',
  '    def promote(self, artifact, *, name=None, alias=None, tags=None) -> str: ...',
  'svc = __cellar_client()',
].join('\n');

/** Names that our own lines bind; they are never offered. */
export const OWN_NAME = /^__cellar_/;

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** The cell that the user edits, with its current text. */
export interface Focus {
  readonly cellId: string;
  readonly source: string;
}

/**
 * The document for a cell: the cells that it reads from, directly or indirectly, in notebook order, and the
 * cell itself at the end. Names in the text that the graph has not linked yet count as read.
 */
export function documentFor(notebook: NotebookText, focus: Focus): readonly Segment[] {
  const above = cellsAbove(notebook, focus.cellId);
  const wired = notebook.wiring.get(focus.cellId);
  const readers = new Set<string>();
  const definers = nearestDefiners(above);
  for (const [word] of focus.source.matchAll(WORD)) {
    const giver = wired?.get(word) ?? definers.get(word);
    if (giver !== undefined) readers.add(giver);
  }
  for (const id of wired?.values() ?? []) readers.add(id);
  const visibleIds = ancestorsAnd(notebook, readers);
  const cells = notebook.cells.filter(({ id }) => visibleIds.has(id) && id !== focus.cellId);
  return [...segmentsOf(notebook, cells), ...bundleLines(notebook, focus.cellId), textOf(focus)];
}

/**
 * The document for finding every use of a name: all cells linked with `cellIds`, upstream and downstream, in
 * notebook order, with the current text of the focused cell.
 */
export function linkedDocument(
  notebook: NotebookText,
  focus: Focus,
  cellIds: Iterable<string>,
): readonly Segment[] {
  const linkedIds = new Set(cellIds).add(focus.cellId);
  const pending = [...linkedIds];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const linked = [...(notebook.upstream.get(id) ?? []), ...(notebook.downstream.get(id) ?? [])];
    for (const other of linked) {
      if (linkedIds.has(other)) continue;
      linkedIds.add(other);
      pending.push(other);
    }
  }
  const cells = notebook.cells
    .filter(({ id }) => linkedIds.has(id))
    .map((cell) => (cell.id === focus.cellId ? { ...cell, source: focus.source } : cell));
  return segmentsOf(notebook, cells);
}

/** The cells in which a name is the same variable: linked by it, directly or indirectly. */
export function cellsSharing(notebook: NotebookText, cellId: string, name: string): ReadonlySet<string> {
  const shared = new Set([cellId]);
  const isOf = (id: string): boolean =>
    notebook.cells.some((cell) => cell.id === id && [...cell.defines, ...cell.references].includes(name));
  if (!isOf(cellId)) return shared;
  const links = new Map<string, string[]>();
  const link = (from: string, to: string): void => void links.set(from, [...(links.get(from) ?? []), to]);
  for (const [reader, wires] of notebook.wiring) {
    const giver = wires.get(name);
    if (giver === undefined) continue;
    link(reader, giver);
    link(giver, reader);
  }
  const pending = [cellId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const other of links.get(id) ?? []) {
      if (shared.has(other)) continue;
      shared.add(other);
      pending.push(other);
    }
  }
  return shared;
}

function cellsAbove(notebook: NotebookText, cellId: string): readonly LanguageCell[] {
  const at = notebook.cells.findIndex(({ id }) => id === cellId);
  return (at === -1 ? notebook.cells : notebook.cells.slice(0, at)).filter(({ active }) => active);
}

/** Name → the cell from which a reader below would get it. */
function nearestDefiners(above: readonly LanguageCell[]): ReadonlyMap<string, string> {
  const definers = new Map<string, string>();
  for (const { id, defines } of above) for (const name of defines) definers.set(name, id);
  return definers;
}

function ancestorsAnd(notebook: NotebookText, ids: Iterable<string>): ReadonlySet<string> {
  const ancestorIds = new Set(ids);
  const pending = [...ancestorIds];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const other of notebook.upstream.get(id) ?? []) {
      if (ancestorIds.has(other)) continue;
      ancestorIds.add(other);
      pending.push(other);
    }
  }
  return ancestorIds;
}

function segmentsOf(notebook: NotebookText, cells: readonly LanguageCell[]): readonly Segment[] {
  const ids = new Set(cells.map(({ id }) => id));
  // It runs before every cell; an unreadable text defines nothing and is left out.
  const setup = notebook.cells.filter(
    ({ id, isSetup, defines }) => isSetup && defines.length > 0 && !ids.has(id),
  );
  const segments: Segment[] = [{ cellId: null, text: PROLOGUE }];
  for (const cell of [...setup, ...cells]) {
    segments.push(...bundleLines(notebook, cell.id));
    segments.push(
      LANGUAGES[cell.language].hasServices
        ? textOf({ cellId: cell.id, source: cell.source })
        : given(notebook, cell),
    );
  }
  return segments;
}

function textOf({ cellId, source }: Focus): Segment {
  return { cellId, text: source };
}

/** Lines that replace a cell of another language: its names, with their types from the last run. */
function given(notebook: NotebookText, { id, defines }: LanguageCell): Segment {
  const lines = defines.map((name) => {
    const value = notebook.values.find((one) => one.cellId === id && one.name === name);
    return `${name}: ${value?.columns ? '__cellar_pandas.DataFrame' : '__cellar_any'}`;
  });
  return { cellId: null, text: lines.join('\n') };
}

function bundleLines(notebook: NotebookText, cellId: string): readonly Segment[] {
  const names = [...(notebook.bundled.get(cellId) ?? [])];
  if (names.length === 0) return [];
  return [{ cellId: null, text: names.map((name) => `${name}: dict[str, __cellar_any]`).join('\n') }];
}
