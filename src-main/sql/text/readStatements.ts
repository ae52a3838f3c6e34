/** Splits the text of a SQL cell into statements, with the tables and placeholders of each. */

import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import type { Token } from '../../../src-shared/sql/scan.ts';
import { sourcesOf } from '../../../src-shared/sql/tables.ts';
import { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { classify } from './classify.ts';
import { scanSql } from './scanSql.ts';
import { splitStatements } from './split.ts';

/** A statement and its tokens without comments; offsets refer to the whole text. */
export interface ReadStatement {
  readonly statement: Statement;
  readonly tokens: readonly Token[];
}

/**
 * Reads the statements of a cell: what each does, its tables and its placeholders.
 * @throws SqlError with the position in `text` if it cannot be read; the cell then does not connect (docs/spec/sql.md,
 * 1)
 */
export function readStatements(text: string, dialect: Dialect): readonly ReadStatement[] {
  const pieces = splitStatements(scanSql(text, dialect), dialect);
  if (pieces.length === 0) throw new SqlError('This cell has no statement.', { position: null });
  return pieces.map((tokens) => readStatement(text, tokens, dialect));
}

function readStatement(text: string, tokens: readonly Token[], dialect: Dialect): ReadStatement {
  const [first] = tokens;
  const offset = first?.start ?? 0;
  const end = tokens.at(-1)?.end ?? offset;
  const verb = classify(tokens);
  if (verb === null) {
    const words = `This is not an SQL statement: it starts with "${first?.text ?? ''}".`;
    throw new SqlError(words, { position: offset });
  }
  const { tables, unnameable, calls } = sourcesOf(tokens, {
    offset,
    fromQuoted: (quoted) => unquoted(quoted, dialect),
    dialect,
  });
  return {
    tokens,
    statement: {
      text: text.slice(offset, end),
      offset,
      ...verb,
      placeholders: tokens
        .filter(({ kind }) => kind === 'placeholder')
        .map((token) => ({
          name: token.text.slice(1),
          start: token.start - offset,
          end: token.end - offset,
        })),
      tables,
      unnameable,
      calls,
    },
  };
}

function unquoted(text: string, dialect: Dialect): string {
  const pair = dialect.identifierQuotes.find(([open]) => text.startsWith(open));
  if (pair === undefined) return text;
  const [, close] = pair;
  return text.slice(1, -1).replaceAll(close + close, close);
}
