/** The places of a notebook that quick open can go to, and those that match a query. Pure. */

import { headingsOf } from '../../src-shared/notebook/headings.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { cellName } from '../state/cellName.ts';
import { bestOf } from '../state/fuzzy.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';

export interface QuickOpenTarget {
  readonly kind: 'cell' | 'variable' | 'heading' | 'source' | 'notebook';
  /** Unique among all places. */
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  readonly cellId: string | null;
  /** The line in the cell, from 1; null for the cell as a whole. */
  readonly line: number | null;
  /** The folder of a notebook; null for places in this one. */
  readonly path: string | null;
}

type Places = Readonly<Record<QuickOpenTarget['kind'], readonly QuickOpenTarget[]>>;

/** The most results of each kind; more would hide the other kinds. */
const MOST: Readonly<Record<QuickOpenTarget['kind'], number>> = {
  cell: 12,
  variable: 8,
  heading: 8,
  source: 12,
  notebook: 5,
};
/** The least length of a query that searches sources: shorter ones match nearly every line. */
const MIN_IN_SOURCE = 2;

export function quickOpenTargets(
  view: NotebookView,
  notebooks: readonly { readonly path: string; readonly name: string }[],
): Omit<Places, 'source'> {
  const none = { line: null, path: null };
  const cell: QuickOpenTarget[] = [];
  const variable: QuickOpenTarget[] = [];
  const heading: QuickOpenTarget[] = [];
  for (const id of view.model.order) {
    const knownCell = view.model.cells[id]?.cell;
    if (knownCell === undefined) continue;
    const source = shownSource(view, id);
    const name = cellName(view.model, id);
    if (!LANGUAGES[knownCell.language].runs) {
      for (const { text, line, level } of headingsOf(source)) {
        heading.push({
          kind: 'heading',
          key: `heading ${id} ${line}`,
          label: text,
          detail: '#'.repeat(level),
          cellId: id,
          line: null,
          path: null,
        });
      }
      continue;
    }
    cell.push({
      kind: 'cell',
      key: `cell ${id}`,
      label: name,
      detail: firstLine(source),
      cellId: id,
      ...none,
    });
    for (const define of knownCell.defines) {
      const line = lineOf(source, define);
      const key = `variable ${id} ${define}`;
      variable.push({ kind: 'variable', key, label: define, detail: name, cellId: id, line, path: null });
    }
  }
  const notebook = notebooks
    .filter((one) => one.path !== view.path)
    .map(
      ({ path, name }): QuickOpenTarget => ({
        kind: 'notebook',
        key: `notebook ${path}`,
        label: name,
        detail: path,
        cellId: null,
        line: null,
        path,
      }),
    );
  return { cell, variable, heading, notebook };
}

/** The places that match a query, best first. */
export function matchingTargets(view: NotebookView, all: Omit<Places, 'source'>, query: string): Places {
  const best = (kind: Exclude<QuickOpenTarget['kind'], 'source'>): readonly QuickOpenTarget[] =>
    bestOf(all[kind], query, { textOf: (place) => place.label, most: MOST[kind] });
  return {
    cell: best('cell'),
    variable: query.trim() === '' ? [] : best('variable'),
    heading: best('heading'),
    source: linesWith(view, query.trim()),
    notebook: best('notebook'),
  };
}

function linesWith(view: NotebookView, query: string): readonly QuickOpenTarget[] {
  if (query.length < MIN_IN_SOURCE) return [];
  const needle = query.toLowerCase();
  const places: QuickOpenTarget[] = [];
  for (const id of view.model.order) {
    const source = shownSource(view, id);
    if (!source.toLowerCase().includes(needle)) continue;
    for (const [at, text] of source.split('\n').entries()) {
      if (!text.toLowerCase().includes(needle)) continue;
      const line = at + 1;
      const label = text.trim().slice(0, 200);
      const detail = cellName(view.model, id);
      places.push({
        kind: 'source',
        key: `source ${id} ${line}`,
        label,
        detail,
        cellId: id,
        line,
        path: null,
      });
      if (places.length >= MOST.source) return places;
    }
  }
  return places;
}

function firstLine(source: string): string {
  const line = source.split('\n').find((one) => one.trim() !== '' && !one.trim().startsWith('#'));
  return (line ?? '').trim().slice(0, 120);
}

/** The line that defines a name, from 1, by a simple pattern; null if there is no match. */
function lineOf(source: string, name: string): number | null {
  const word = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const gives = new RegExp(`^\\s*(?:def|class|async def)\\s+${word}\\b|^[^#=]*\\b${word}\\b[^=]*=(?!=)`, 'u');
  const at = source.split('\n').findIndex((line) => gives.test(line));
  return at === -1 ? null : at + 1;
}
