import { sqlBody } from '../../../src-shared/sql/body.ts';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { SqlError } from '../sqlError.ts';
import { scanSql } from './scanSql.ts';

/**
 * The names a SQL cell reads, each once, in the order they appear. The connection is not known here, so the text is
 * read as each kind of database would: a name only one of them sees makes an edge too many, which changes nothing.
 * Text that cannot be read by any has none.
 */
export function placeholderNames(source: string): readonly string[] {
  const { text } = sqlBody(source);
  const names = new Set<string>();
  for (const dialect of [DIALECTS.postgresql, DIALECTS.snowflake, DIALECTS.bigquery, DIALECTS.sqlite]) {
    try {
      for (const token of scanSql(text, dialect)) {
        if (token.kind === 'placeholder') names.add(token.text.slice(1));
      }
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
    }
  }
  return [...names];
}
