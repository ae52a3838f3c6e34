import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import { type CellMode, hasCatalog, policyOf, readCell } from '../../sql/readCell.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { NONE, type NotebookCheck } from './check.ts';

type ReadCell = typeof readCell;

/** The text of a SQL cell, read as the database of its connection would: what will not run, and what runs every time. */
export function sqlTextCheck(read: ReadCell): NotebookCheck {
  return ({ analysis, entry, source }, { file }) => {
    const { sql, cache } = analysis.annotations;
    if (entry.language !== 'sql' || sql.connection === null || analysis.isEmpty) return NONE;
    const connection = file.connections.find((block) => block.name === sql.connection);
    // Which words are whose is known with the connection alone; that it is missing is said elsewhere.
    if (connection === undefined) return NONE;
    const mode: CellMode = {
      write: sql.write,
      policy: policyOf(cache, sql.write),
      hasCatalog: hasCatalog(connection),
    };
    try {
      const statements = read(source, mode, connection.driver as DriverName); // checked when the file was read
      const dynamic = mode.policy.kind === 'fingerprint' ? statements.find(isDynamic) : undefined;
      if (dynamic === undefined) return NONE;
      const words = `This cell reads ${dynamic.statement.unnameable}: nobody can tell beforehand whether that changed, so it runs every time. A line # @cache session, forever or ttl=<seconds> keeps its result.`;
      return [diagnose('sql_dynamic_table', words, null)];
    } catch (error) {
      if (!(error instanceof SqlError)) {
        const words = `This cell could not be looked into (${error instanceof Error ? error.message : String(error)}): that is a fault of Cellar. It runs all the same.`;
        return [diagnose('sql_analysis_failed', words, null)];
      }
      const { position, message } = error;
      const line = position === null ? lineOf(readDirectives(source), 'cache') : lineAt(source, position);
      return [diagnose('sql_parse_error', message, line)];
    }
  };
}

export const checkSqlText = sqlTextCheck(readCell);

function isDynamic({ statement }: ReturnType<ReadCell>[number]): boolean {
  return statement.unnameable !== null;
}

/** The line (from 1) an offset lies in. */
function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split(/\r\n|\r|\n/).length;
}
