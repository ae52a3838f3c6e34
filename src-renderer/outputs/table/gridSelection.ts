/** A cell of the grid by its row (counted in the whole answer; -1 is the header) and its place among the columns. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** A rectangle from where it was begun to where it goes now. */
export interface Selection {
  readonly anchor: GridPlace;
  readonly active: GridPlace;
}

/** The grid's extent: rows that may be reached and how far a page turns. */
interface GridBounds {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly columns: number;
  readonly pageRows: number;
}

export const HEADER_ROW = -1;

/** Where a key takes the active cell; null for a key that is none of the grid's. */
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

/** The selected cells; the header is none of them. */
export function rectangleOf(selection: Selection, firstRow: number): Rectangle {
  const { anchor, active } = selection;
  return {
    top: Math.max(firstRow, Math.min(anchor.row, active.row)),
    bottom: Math.max(firstRow, anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

/** Cells as spreadsheets take them: tabs and line ends inside a value would move the ones after it. */
export function tsvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');
}
