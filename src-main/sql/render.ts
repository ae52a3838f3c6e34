/** Replaces the `:name` placeholders of a SQL statement by the markers of its driver (`$1`, `?`). */

import type { Dialect } from '../../src-shared/sql/dialect.ts';
import type { Rendered, Statement } from './statement.ts';

/** A statement as it is sent, with a mapping of positions back to the statement as written. */
export interface RenderedStatement extends Rendered {
  /** Converts an offset in `sql` to one in `statement.text`. */
  readonly placeOf: (offset: number) => number;
}

/** Text inserted into a statement at an offset of `statement.text`. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The statement with a slot in place of each placeholder: `$1`, `$2`, … or `?`, one per occurrence (docs/spec/sql.md,
 * 1). Values are never part of the text.
 * @param insertions such as a snapshot clause after each table; offsets in `statement.text`
 */
export function render(
  statement: Statement,
  dialect: Dialect,
  insertions: readonly Insertion[] = [],
): RenderedStatement {
  const { text } = statement;
  const edits = [
    ...statement.placeholders.map(({ name, start, end }, i) => ({
      start,
      end,
      text: dialect.slot === 'numbered' ? `$${i + 1}` : '?',
      name,
    })),
    ...insertions.map(({ at, text: added }) => ({ start: at, end: at, text: added, name: null })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: { readonly from: number; readonly in: number; readonly length: number }[] = [];
  let sql = '';
  let position = 0;
  for (const edit of edits) {
    pieces.push({ from: sql.length, in: position, length: edit.start - position });
    sql += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  pieces.push({ from: sql.length, in: position, length: text.length - position });
  sql += text.slice(position);
  return {
    sql,
    slots: edits.flatMap(({ name }) => (name === null ? [] : [name])),
    placeOf: (offset) => {
      const piece = pieces.findLast(({ from }) => from <= offset);
      return piece === undefined ? 0 : piece.in + Math.min(offset - piece.from, piece.length);
    },
  };
}
