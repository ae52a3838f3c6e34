import type { Dialect } from '../../src-shared/sql/dialect.ts';
import type { Rendered, Statement } from './statement.ts';

/** A statement as it is sent, and how places in it lie in the statement as written. */
export interface RenderedStatement extends Rendered {
  /** The offset in `statement.text` an offset in `sql` stands for. */
  readonly placeOf: (offset: number) => number;
}

/** What is written into a statement beside its slots: text behind a place of `statement.text`. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The statement with a slot in place of each placeholder: `$1`, `$2`, … or `?`, one per occurrence (sql).
 * Values never come near the text.
 * @param insertions such as a snapshot's clause behind each table; offsets in `statement.text`
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
  let done = 0;
  for (const edit of edits) {
    pieces.push({ from: sql.length, in: done, length: edit.start - done });
    sql += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  pieces.push({ from: sql.length, in: done, length: text.length - done });
  sql += text.slice(done);
  return {
    sql,
    slots: edits.flatMap(({ name }) => (name === null ? [] : [name])),
    placeOf: (offset) => {
      const piece = pieces.findLast(({ from }) => from <= offset);
      return piece === undefined ? 0 : piece.in + Math.min(offset - piece.from, piece.length);
    },
  };
}

/**
 * `render` with the same text behind every table the statement reads: how a driver reads all of them at a moment.
 * The slots are those of `render`, so that what is bound stays as it is.
 */
export function renderBehindTables(statement: Statement, dialect: Dialect, text: string): RenderedStatement {
  return render(
    statement,
    dialect,
    statement.tables.map(({ end }) => ({ at: end, text })),
  );
}
