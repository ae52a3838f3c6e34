/** Finds the names that a SQL cell reads: its placeholders, and tables that may be data frames. */

import { isIdentifier } from '../../../src-shared/notebook/directives.ts';
import { sqlBody } from '../../../src-shared/sql/body.ts';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { SqlError } from '../sqlError.ts';
import { readStatements } from './readStatements.ts';
import { scanSql } from './scanSql.ts';

/**
 * The names that a SQL cell uses as tables, each once. In a DuckDB without a file they may be data frames of other
 * cells. Empty if the text cannot be read.
 */
export function tableNamesOf(source: string): readonly string[] {
  try {
    const tables = readStatements(sqlBody(source).text, DIALECTS.duckdb).flatMap(
      ({ statement }) => statement.tables,
    );
    const single = tables.flatMap(({ parts }) => (parts.length === 1 ? parts : []));
    return [...new Set(single)].filter(isIdentifier);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return [];
  }
}

/**
 * The names that a SQL cell reads, each once, in the order they appear. The connection is not known here, so the text
 * is read in every dialect; a name that exists in only one of them causes an extra edge, which does no harm. Empty if
 * no dialect can read the text.
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
