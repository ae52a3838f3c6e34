/** Splits SQL text into tokens, or refuses text with a token that is not closed. */

import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { scanText, type Token } from '../../../src-shared/sql/scan.ts';
import { SqlError } from '../sqlError.ts';

/**
 * Splits SQL into tokens.
 * @throws SqlError with the position of an unclosed token
 */
export function scanSql(text: string, dialect: Dialect): readonly Token[] {
  const { tokens, unclosed } = scanText(text, dialect);
  if (unclosed !== null) throw new SqlError(unclosed.words, { position: unclosed.position });
  return tokens;
}
