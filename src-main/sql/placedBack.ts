import type { Dialect } from '../../src-shared/sql/dialect.ts';
import { type RenderedStatement, render } from './render.ts';
import { SqlError } from './sqlError.ts';
import type { Statement } from './statement.ts';

/**
 * An error whose place lies in `sent`, a text with more in it than the one the driver was given, as one whose place
 * lies in the given text (`render` without insertions). Other errors are returned as they are.
 */
export function placedBack(
  error: unknown,
  sent: RenderedStatement,
  given: { readonly statement: Statement; readonly dialect: Dialect },
): unknown {
  if (!(error instanceof SqlError) || error.position === null) return error;
  const place = sent.placeOf(error.position);
  const plain = render(given.statement, given.dialect);
  let position = 0;
  while (position < plain.sql.length && plain.placeOf(position) < place) position += 1;
  const { message, code, hint, statement, cause } = error;
  return new SqlError(message, { position, code, hint, statement, cause });
}
