/** Computes the widths and the order of a table's columns. */

import type { ColumnChoices } from '../../state/tableLayouts.ts';
import type { ColumnFormat } from './cellText.ts';
import type { ColumnKind } from './columnKind.ts';

/** One column with its layout. */
export interface GridColumn {
  /** The position of the column in the rows of the result. */
  readonly at: number;
  readonly name: string;
  /** The displayed name; empty for an unnamed index. */
  readonly label: string;
  readonly kind: ColumnKind;
  readonly format: ColumnFormat['format'];
  /** In CSS px. */
  readonly width: number;
  /** True if the person set the width: then it does not grow with the table. */
  readonly fixed: boolean;
  readonly pinned: boolean;
}

export const MIN_WIDTH = 48;
const MAX_WIDTH = 320;
const MAX_CHOSEN = 2_000;
/** The room beside the text, in CSS px: padding, and the mark of a sort. */
export const ROOM = 34;
const PX_PER_CHARACTER = 6.9;
const UNNAMED = /^__index_level_\d+__$/;

/** The displayed name of a column; empty for an unnamed index. */
export function labelOf(name: string): string {
  return UNNAMED.test(name) ? '' : name;
}

/** A width in CSS px that shows most of the values completely, by their numbers of characters. */
export function fittingWidth(label: string, texts: readonly string[]): number {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const fullWidth = Math.max(label.length + 1, longest) * PX_PER_CHARACTER + ROOM;
  return Math.round(Math.min(MAX_WIDTH, Math.max(64, fullWidth)));
}

export function chosenWidth(px: number): number {
  return Math.round(Math.min(MAX_CHOSEN, Math.max(MIN_WIDTH, px)));
}

/** The shown columns in the chosen order, pinned ones first. Columns that the order does not name keep their place. */
export function arrangeColumns(
  columns: readonly GridColumn[],
  { hidden, order }: Pick<ColumnChoices, 'hidden' | 'order'>,
): GridColumn[] {
  const visibleColumns = inOrder(columns, order).filter((column) => !hidden.includes(column.name));
  return [
    ...visibleColumns.filter((column) => column.pinned),
    ...visibleColumns.filter((column) => !column.pinned),
  ];
}

function inOrder(columns: readonly GridColumn[], order: readonly string[]): readonly GridColumn[] {
  if (order.length === 0) return columns;
  const ordered = order.flatMap((name) => columns.filter((column) => column.name === name));
  const all = new Set(ordered);
  let next = 0;
  // Names that no longer exist are skipped; new columns stay where they are in the result.
  const places = [...all];
  return columns.map((column) => (all.has(column) ? (places[next++] ?? column) : column));
}

/** The order of all names with one moved beside another. */
export function moveBeside(
  names: readonly string[],
  name: string,
  { beside, after }: { readonly beside: string; readonly after: boolean },
): readonly string[] {
  if (name === beside) return names;
  const others = names.filter((one) => one !== name);
  const at = others.indexOf(beside) + (after ? 1 : 0);
  return [...others.slice(0, at), name, ...others.slice(at)];
}

/** The left edge of each column, then the right edge of the last one, in CSS px. */
export function columnEdges(columns: readonly GridColumn[]): number[] {
  const edges = [0];
  for (const column of columns) edges.push((edges.at(-1) ?? 0) + column.width);
  return edges;
}
