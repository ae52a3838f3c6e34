/** Reports SQL cells whose text the database of their connection will refuse, or that run every time. */

import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import { isInMemory } from '../../sql/inMemory.ts';
import { type CellMode, hasCatalog, policyOf, readCell } from '../../sql/readCell.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

type ReadCell = typeof readCell;

/** Reads a SQL cell as its connection's database would: reports what will not run, and what runs every time. */
export function sqlTextCheck(read: ReadCell): NotebookCheck {
  return ({ analysis, entry, source }, { file }) => {
    const { sql, cache } = analysis.annotations;
    if (entry.language !== 'sql' || sql.connection === null || analysis.isEmpty) return NO_DIAGNOSTICS;
    const connection = file.connections.find((block) => block.name === sql.connection);
    // The dialect is unknown without the connection; checkConnection reports that it is missing.
    if (connection === undefined) return NO_DIAGNOSTICS;
    const mode: CellMode = {
      write: sql.write,
      policy: policyOf(cache, sql.write),
      hasCatalog: hasCatalog(connection),
    };
    try {
      const statements = read(source, mode, connection.driver as DriverName); // checked when the file was read
      const lostTable = mode.write && isInMemory(connection) ? lostAtTheEnd(statements) : undefined;
      if (lostTable !== undefined) {
        const what = lostTable.statement.kind.replace(/^CREATE /, '').toLowerCase();
        const words = `The connection "${connection.name}" has no file: this ${what} is gone once this cell has run, and no other cell can read it. Give the connection a path, or SELECT the rows that other cells need: the result of this cell is a variable.`;
        return [diagnose('sql_table_not_kept', words, lineAt(source, lostTable.offset))];
      }
      const dynamic = mode.policy.kind === 'fingerprint' ? statements.find(isDynamic) : undefined;
      if (dynamic === undefined) return NO_DIAGNOSTICS;
      const words = `This cell reads ${dynamic.statement.unnameable}. Cellar cannot tell whether that changed, so the cell runs every time. To cache its result, add # @cache session, forever or ttl=<seconds>.`;
      return [diagnose('sql_dynamic_table', words, null)];
    } catch (error) {
      if (!(error instanceof SqlError)) {
        const words = `Cellar could not analyse this cell because of a bug in Cellar (${error instanceof Error ? error.message : String(error)}). The cell runs anyway.`;
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

/** Statements that copy a table out of memory before the cell ends, or create it outside of memory. */
const OUT_OF_MEMORY = /^(ATTACH|COPY|EXPORT|VACUUM)$/;

/** The first table or view that a cell creates and that will be lost; a temporary one is meant to be. */
function lostAtTheEnd(statements: ReturnType<ReadCell>): ReturnType<ReadCell>[number] | undefined {
  if (statements.some(({ statement }) => OUT_OF_MEMORY.test(statement.kind))) return undefined;
  return statements.find(
    ({ statement: { kind, text } }) => /^CREATE (TABLE|VIEW)$/.test(kind) && !TEMPORARY.test(text),
  );
}

const TEMPORARY = /^CREATE\s+(OR\s+REPLACE\s+)?TEMP(ORARY)?\s/i;

/** The line of an offset, counted from 1. */
function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split(/\r\n|\r|\n/).length;
}
