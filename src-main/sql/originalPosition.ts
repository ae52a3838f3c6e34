/** Maps the position of a database error back to the statement as the user wrote it. */

import type { Dialect } from '../../src-shared/sql/dialect.ts';
import { type RenderedStatement, render } from './render.ts';
import { SqlError } from './sqlError.ts';
import type { Statement } from './statement.ts';

/**
 * Converts the position of an error from `rendered`, a text with insertions, to the text that the driver was given
 * (`render` without insertions). Returns other errors unchanged.
 */
export function withOriginalPosition(
  error: unknown,
  rendered: RenderedStatement,
  original: { readonly statement: Statement; readonly dialect: Dialect },
): unknown {
  if (!(error instanceof SqlError) || error.position === null) return error;
  const target = rendered.placeOf(error.position);
  const plain = render(original.statement, original.dialect);
  let position = 0;
  while (position < plain.sql.length && plain.placeOf(position) < target) position += 1;
  const { message, code, hint, statement, cause } = error;
  return new SqlError(message, { position, code, hint, statement, cause });
}
