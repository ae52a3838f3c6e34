/** Computes the rows of the Outline panel: cells with headings, and variables. */

import { headingsOf } from '../../src-shared/notebook/headings.ts';
import { factsOf, LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { variantLabel } from '../../src-shared/notebook/variants.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Draft } from './drafts.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';
import { shownSource } from './notebookStore.ts';
import { perModel } from './perModel.ts';

/** One line of the outline: a cell, or a heading inside a text cell. */
export interface OutlineRow {
  readonly key: string;
  readonly cellId: string;
  /** The text of a heading; null for a code cell, which is shown by its name. */
  readonly heading: string | null;
  /** The name of a variant group, in the line above its members; null in other lines. */
  readonly group: string | null;
  /** 0 for cells and top-level headings; one more for each level below. */
  readonly depth: number;
}

/** The lines of the outline, in notebook order. A text cell without headings has no line. */
export function outlineRows(view: NotebookView): readonly OutlineRow[] {
  const drafts = Object.entries(view.drafts).flatMap(([id, draft]) =>
    factsOf(view.model.cells[id]?.cell)?.runs === false ? [draft] : [],
  );
  const same =
    lastRows?.model === view.model &&
    drafts.length === lastRows.drafts.length &&
    drafts.every((draft, at) => draft === lastRows?.drafts[at]);
  // Typing in a code cell changes no heading, so the rows are not computed again.
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
  /** The variant group of the previous cell: adjacent cells of one group are listed under its name. */
  let group: string | null = null;
  for (const cellId of view.model.order) {
    const cell = view.model.cells[cellId]?.cell;
    if (cell === undefined) continue;
    if (LANGUAGES[cell.language].runs) {
      const isVariant = cell.variant_group !== null;
      if (isVariant && group !== cell.variant_group) {
        const key = `${cell.variant_group} of ${cellId}`;
        rows.push({ key, cellId, heading: null, group: cell.variant_group, depth: 0 });
      }
      group = cell.variant_group;
      rows.push({ key: cellId, cellId, heading: null, group: null, depth: isVariant ? 1 : 0 });
      continue;
    }
    group = null;
    for (const [at, { level, text }] of headingsOf(shownSource(view, cellId)).entries()) {
      rows.push({
        key: `${cellId} ${at}`,
        cellId,
        heading: text,
        group: null,
        depth: Math.min(level - 1, 3),
      });
    }
  }
  return rows;
}

export function sameRows(a: readonly OutlineRow[], b: readonly OutlineRow[]): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => {
      const other = b[at];
      return (
        row.key === other?.key &&
        row.heading === other.heading &&
        row.group === other.group &&
        row.depth === other.depth
      );
    })
  );
}

/** A variable, and the cell that defines it. */
export interface VariableRow {
  readonly name: string;
  readonly cellId: string;
  readonly uri: string | null;
}

/** The variables of the notebook, in notebook order, each from the last cell that defines it. */
export const variableRows = perModel(variablesIn);

function variablesIn(model: NotebookModel): readonly VariableRow[] {
  const rows = new Map<string, VariableRow>();
  for (const cellId of model.order) {
    const entry = model.cells[cellId];
    if (entry === undefined || !hasResult(model, cellId)) continue;
    const exported = new Set(entry.cell.module_exports?.map((one) => one.name));
    for (const name of entry.cell.defines) {
      if (exported.has(name)) continue;
      for (const row of rowsOfName(entry.cell, name)) {
        rows.delete(row.name);
        rows.set(row.name, { ...row, cellId });
      }
    }
  }
  return [...rows.values()];
}

/** One row for a name, or one for each variant that the cell runs for. */
function rowsOfName(cell: Cell, name: string): readonly Omit<VariableRow, 'cellId'>[] {
  const stored = (cell.fan_out?.variants ?? []).flatMap((variant) => {
    const uri = cell.artifact_uris[variantLabel(name, variant)];
    return uri === undefined ? [] : [{ name: `${name} · ${variant}`, uri }];
  });
  return stored.length > 0 ? stored : [{ name, uri: uriOf(cell, name) }];
}

/** The URI of a stored variable, whether or not another cell reads it. */
function uriOf({ artifact_uris, unread_uris = {} }: Cell, name: string): string | null {
  if (Object.hasOwn(artifact_uris, name)) return artifact_uris[name] ?? null;
  return Object.hasOwn(unread_uris, name) ? (unread_uris[name] ?? null) : null;
}

function hasResult(model: NotebookModel, cellId: string): boolean {
  const entry = model.cells[cellId];
  if (entry === undefined || !LANGUAGES[entry.cell.language].runs) return false;
  return entry.cell.status === 'ready' || Object.keys(entry.cell.artifact_uris).length > 0;
}

export function sameVariables(a: readonly VariableRow[], b: readonly VariableRow[]): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => row.name === b[at]?.name && row.cellId === b[at]?.cellId && row.uri === b[at]?.uri)
  );
}
