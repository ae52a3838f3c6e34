/**
 * The grid of an app view as pure data: 12 columns, rows of one height. Cells never overlap: each moves up as far as
 * the cells above it allow.
 */
import { GRID_COLUMNS, type GridPlace } from '../../wire/appLayout.ts';

/** A cell in the grid: column and row of its upper left corner, columns wide, rows high. */
export interface GridItem {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A cell for the grid: its place in notebook.toml, and its height in rows if it has no place there. */
export interface GridCell {
  readonly id: string;
  readonly place: GridPlace | null;
  readonly rows: number;
}

/** The grid of these cells, in their order. Cells without a place follow below the others, each at full width. */
export function gridOf(cells: readonly GridCell[]): readonly GridItem[] {
  const placedItems = cells.flatMap(({ id, place }): GridItem[] => {
    if (place === null) return [];
    const [x, y, w, h] = place;
    return [{ id, x, y, w, h }];
  });
  let bottom = placedItems.reduce((most, { y, h }) => Math.max(most, y + h), 0);
  const items = cells.map(({ id, place, rows }): GridItem => {
    if (place !== null) return { id, x: place[0], y: place[1], w: place[2], h: place[3] };
    const y = bottom;
    bottom += rows;
    return { id, x: 0, y, w: GRID_COLUMNS, h: rows };
  });
  return compact(items);
}

/**
 * The same cells without overlaps and without gaps above them, in the given order. If two cells are in the same row,
 * the moved one is placed first, otherwise the one to the left.
 */
export function compact(items: readonly GridItem[], movedId: string | null = null): readonly GridItem[] {
  const rank = ({ id }: GridItem): number => (id === movedId ? 0 : 1);
  const inTurn = [...items].sort((a, b) => a.y - b.y || rank(a) - rank(b) || a.x - b.x);
  const bottoms = new Array<number>(GRID_COLUMNS).fill(0);
  const rows = new Map<string, number>();
  for (const { id, x, w, h } of inTurn) {
    const y = Math.max(...bottoms.slice(x, x + w));
    bottoms.fill(y + h, x, x + w);
    rows.set(id, y);
  }
  return items.map((item) => ({ ...item, y: rows.get(item.id) ?? item.y }));
}

/** The cells row by row: the order in which one column shows them. */
export function readingOrder(items: readonly GridItem[]): readonly string[] {
  return [...items].sort((a, b) => a.y - b.y || a.x - b.x).map(({ id }) => id);
}
