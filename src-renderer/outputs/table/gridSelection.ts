/** The selection in a table's grid, and how keys move it. */

/** A cell of the grid: its row among all rows of the answer (-1 is the header) and its position among the columns. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** A selection from the cell where it was started to the active cell. */
export interface Selection {
  readonly anchor: GridPlace;
  readonly active: GridPlace;
}

/** The grid's extent: the rows that can be reached, and the number of rows per page. */
interface GridBounds {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly columns: number;
  readonly pageRows: number;
}

export const HEADER_ROW = -1;

/** The selection after a key press; null for a key that the grid does not use. */
export function cellAfterKey(
  from: GridPlace,
  press: { readonly key: string; readonly far: boolean },
  bounds: GridBounds,
): GridPlace | null {
  const { firstRow, lastRow, columns, pageRows } = bounds;
  const right = Math.max(0, columns - 1);
  const row = (wanted: number): number => {
    if (wanted < firstRow) return HEADER_ROW;
    return Math.min(lastRow, wanted);
  };
  const place = (to: GridPlace): GridPlace => ({
    row: to.row,
    column: Math.min(right, Math.max(0, to.column)),
  });
  const down = from.row === HEADER_ROW ? firstRow : from.row + 1;
  switch (press.key) {
    case 'ArrowUp':
      return place({ ...from, row: press.far ? firstRow : row(from.row - 1) });
    case 'ArrowDown':
      return place({ ...from, row: lastRow < firstRow ? from.row : press.far ? lastRow : row(down) });
    case 'ArrowLeft':
      return place({ ...from, column: press.far ? 0 : from.column - 1 });
    case 'ArrowRight':
      return place({ ...from, column: press.far ? right : from.column + 1 });
    case 'Home':
      return place({ row: press.far ? row(firstRow) : from.row, column: 0 });
    case 'End':
      return place({ row: press.far ? lastRow : from.row, column: right });
    case 'PageUp':
      return place({ ...from, row: Math.max(firstRow, from.row - pageRows) });
    case 'PageDown':
      return place({ ...from, row: row(Math.max(firstRow, from.row) + pageRows) });
    default:
      return null;
  }
}

export interface Rectangle {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The rectangle of selected cells, without the header. */
export function rectangleOf(selection: Selection, firstRow: number): Rectangle {
  const { anchor, active } = selection;
  return {
    top: Math.max(firstRow, Math.min(anchor.row, active.row)),
    bottom: Math.max(firstRow, anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

/**
 * Cells as tab-separated text for spreadsheets. Tabs and line breaks inside a value would shift the values after it.
 */
export function tsvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');
}
