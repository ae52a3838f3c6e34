import type { Draft } from './drafts.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';
import { shownSource } from './notebookStore.ts';
import { perModel } from './perModel.ts';

/** One line of the outline: a cell, or a heading inside a text cell. */
export interface OutlineRow {
  readonly key: string;
  readonly cellId: string;
  /** Null for a code cell, which says its own name; the words of a heading. */
  readonly heading: string | null;
  /** 0 for cells and top headings; one more for each level below. */
  readonly depth: number;
}

interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Headings by source: a source is looked through once. */
const known = new Map<string, readonly Heading[]>();
const KNOWN_LIMIT = 2_000;

/** `# Title` lines of Markdown outside code fences, without their marks. */
export function headingsOf(source: string): readonly Heading[] {
  const before = known.get(source);
  if (before !== undefined) return before;
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const line of source.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const found = fence === null ? /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) : null;
    if (found !== null) headings.push({ level: found[1]?.length ?? 1, text: plain(found[2] ?? '') });
  }
  if (known.size >= KNOWN_LIMIT) known.clear();
  known.set(source, headings);
  return headings;
}

/** Words of a heading without emphasis, code marks and links. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`~]{1,3}(\S(?:.*?\S)?)[*_`~]{1,3}/g, '$1')
    .trim();
}

/** The outline in notebook order. A text cell without headings has no line: it belongs to what is around it. */
export function outlineRows(view: NotebookView): readonly OutlineRow[] {
  const drafts = Object.entries(view.drafts).flatMap(([id, draft]) =>
    view.model.cells[id]?.cell.language === 'markdown' ? [draft] : [],
  );
  const same =
    lastRows?.model === view.model &&
    drafts.length === lastRows.drafts.length &&
    drafts.every((draft, at) => draft === lastRows?.drafts[at]);
  // A key in a code cell changes no heading.
  if (!same || lastRows === null) lastRows = { model: view.model, drafts, rows: rowsOf(view) };
  return lastRows.rows;
}

let lastRows: {
  readonly model: NotebookModel;
  readonly drafts: readonly Draft[];
  readonly rows: readonly OutlineRow[];
} | null = null;

function rowsOf(view: NotebookView): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  for (const cellId of view.model.order) {
    const cell = view.model.cells[cellId]?.cell;
    if (cell === undefined) continue;
    if (cell.language !== 'markdown') {
      rows.push({ key: cellId, cellId, heading: null, depth: 0 });
      continue;
    }
    for (const [at, { level, text }] of headingsOf(shownSource(view, cellId)).entries()) {
      rows.push({ key: `${cellId} ${at}`, cellId, heading: text, depth: Math.min(level - 1, 3) });
    }
  }
  return rows;
}

export function sameRows(a: readonly OutlineRow[], b: readonly OutlineRow[]): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => {
      const other = b[at];
      return row.key === other?.key && row.heading === other.heading && row.depth === other.depth;
    })
  );
}

/** One variable that a cell gave, and where it comes from. */
export interface VariableRow {
  readonly name: string;
  readonly cellId: string;
  readonly uri: string | null;
}

/** What the notebook's cells have computed, in notebook order; the last cell that defines a name has it. */
export const variableRows = perModel(variablesIn);

function variablesIn(model: NotebookModel): readonly VariableRow[] {
  const rows = new Map<string, VariableRow>();
  for (const cellId of model.order) {
    const found = model.cells[cellId];
    if (found === undefined || !hasResult(model, cellId)) continue;
    const exported = new Set(found.cell.module_exports?.map((one) => one.name));
    for (const name of found.cell.defines) {
      if (exported.has(name)) continue;
      rows.delete(name);
      rows.set(name, { name, cellId, uri: found.cell.artifact_uris[name] ?? null });
    }
  }
  return [...rows.values()];
}

function hasResult(model: NotebookModel, cellId: string): boolean {
  const found = model.cells[cellId];
  if (found === undefined || found.cell.language === 'markdown') return false;
  return found.cell.status === 'ready' || Object.keys(found.cell.artifact_uris).length > 0;
}

export function sameVariables(a: readonly VariableRow[], b: readonly VariableRow[]): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => row.name === b[at]?.name && row.cellId === b[at]?.cellId && row.uri === b[at]?.uri)
  );
}
