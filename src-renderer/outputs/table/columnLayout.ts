/** Widths and order of columns. */

import type { ColumnChoices } from '../../state/tableLayouts.ts';
import type { ColumnFormat } from './cellText.ts';
import type { ColumnKind } from './columnKind.ts';

/** One column as it is drawn. */
export interface GridColumn {
  /** Place in the rows of the result. */
  readonly at: number;
  readonly name: string;
  /** What people read: nothing for the index a frame never gave a name. */
  readonly label: string;
  readonly kind: ColumnKind;
  readonly format: ColumnFormat['format'];
  /** CSS px. */
  readonly width: number;
  /** The person set the width: it does not grow with the table. */
  readonly fixed: boolean;
  readonly pinned: boolean;
}

export const MIN_WIDTH = 48;
const MAX_WIDTH = 320;
const MAX_CHOSEN = 2_000;
/** Room beside the text: padding, and the mark of a sort. */
export const ROOM = 34;
const PX_PER_CHARACTER = 6.9;
const UNNAMED = /^__index_level_\d+__$/;

/** The name a person reads: the index a frame never named has none. */
export function labelOf(name: string): string {
  return UNNAMED.test(name) ? '' : name;
}

/** A width that shows most of the values, by the number of their characters. */
export function fittingWidth(label: string, texts: readonly string[]): number {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const fullWidth = Math.max(label.length + 1, longest) * PX_PER_CHARACTER + ROOM;
  return Math.round(Math.min(MAX_WIDTH, Math.max(64, fullWidth)));
}

export function chosenWidth(px: number): number {
  return Math.round(Math.min(MAX_CHOSEN, Math.max(MIN_WIDTH, px)));
}

/** In the chosen order, pinned columns first, hidden ones left out. Columns the order does not name keep their place. */
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
  // Names that no longer exist are skipped, and new columns stay where the result has them.
  const places = [...all];
  return columns.map((column) => (all.has(column) ? (places[next++] ?? column) : column));
}

/** The order of all names with one put beside another. */
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

/** Left edge of every column and of the end, in CSS px. */
export function columnEdges(columns: readonly GridColumn[]): number[] {
  const edges = [0];
  for (const column of columns) edges.push((edges.at(-1) ?? 0) + column.width);
  return edges;
}
