/** One row of a table result, and the announcement that rows are loading. */

import { memo } from 'react';
import { TABLE_WORDS } from '../../words/table.ts';
import type { GridColumn } from './columnLayout.ts';
import type { Row } from './tablePage.ts';
import { textFits } from './textFits.ts';
import { isPicture } from './valueKind.ts';

/** The same values as in table.css, in px: the padding at both sides of a cell's box, and the size of its text. */
export const BOX_PADDING = 18;
const FONT_SIZE = 12;

/** The part of the selection in a row: columns `left` to `right` are selected, `active` has the focus (-1: none). */
export interface RowMarks {
  readonly left: number;
  readonly right: number;
  readonly active: number;
}

/** One row: its pinned cells, then the visible ones. Drawn again only when something in it has changed. */
export const GridRow = memo(function GridRow(props: {
  gridId: string;
  /** Position among all rows of the answer. */
  index: number;
  /** Null while the row is loading. */
  row: Row | null;
  columns: readonly GridColumn[];
  edges: readonly number[];
  pinned: number;
  first: number;
  end: number;
  /** Distance from the top in px; null: the row is in the normal flow. */
  top: number | null;
  left: number;
  right: number;
  active: number;
}) {
  const { gridId, index, row, columns, edges, pinned, first, end, top } = props;
  const cell = (place: number) => {
    const column = columns[place];
    if (column === undefined) return null;
    const value = row?.[column.at];
    const formatted = row === null ? null : column.format(value);
    const classes = ['cell-box'];
    if (formatted !== null && !textFits(formatted.text, column.width - BOX_PADDING, FONT_SIZE))
      classes.push('cut');
    if (column.kind === 'number') classes.push('num');
    if (column.fixed) classes.push('fixed');
    if (place < pinned) classes.push('pinned');
    if (place >= props.left && place <= props.right) classes.push('selected');
    if (place === props.active) classes.push('active');
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names its active cell
      // biome-ignore lint/a11y/useSemanticElements: a table element cannot be drawn in parts
      <div
        key={place}
        role="gridcell"
        id={`${gridId}-${index}-${place}`}
        className={classes.join(' ')}
        style={{ width: column.width, ...(place < pinned ? { left: edges[place] } : {}) }}
        aria-colindex={place + 1}
        aria-selected={place >= props.left && place <= props.right}
        title={formatted?.exact?.slice(0, 2_000)}
        data-row={index}
        data-column={place}
      >
        {formatted === null ? (
          <span className="cell-ahead-text" />
        ) : value === null || value === undefined ? (
          <span className="table-null">null</span>
        ) : isPicture(value) ? (
          <img className="cell-picture" src={value} alt={TABLE_WORDS.picture} />
        ) : (
          formatted.text
        )}
      </div>
    );
  };
  const spaced = (edges[first] ?? 0) - (edges[pinned] ?? 0);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot be drawn in parts
    <div
      role="row"
      aria-rowindex={index + 2}
      className={top === null ? 'grid-row' : 'grid-row grid-row-placed'}
      style={top === null ? undefined : { transform: `translateY(${top}px)` }}
    >
      {Array.from({ length: pinned }, (_none, place) => cell(place))}
      {spaced > 0 ? <span className="grid-space" style={{ width: spaced }} /> : null}
      {Array.from({ length: end - first }, (_none, at) => cell(first + at))}
    </div>
  );
});

/** Announces that rows are loading. */
export function GridBusy() {
  return (
    <span className="visually-hidden" role="status">
      {TABLE_WORDS.loading}
    </span>
  );
}
