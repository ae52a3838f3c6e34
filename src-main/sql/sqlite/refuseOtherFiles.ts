import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { SqlError } from '../sqlError.ts';
import { scanSql } from '../text/scanSql.ts';

/** Statements that make SQLite open or write another file; SQL functions that would do so are not compiled in. */
const OPENS_FILES: ReadonlySet<string> = new Set(['ATTACH', 'VACUUM', 'PRAGMA']);

/**
 * Refuses statements that reach beyond the file of the connection, on a shared server (sql). SQLite prepares one
 * statement at a time, and each of these is known by its first word.
 * @throws SqlError
 */
export function refuseOtherFiles(sql: string): void {
  const first = scanSql(sql, DIALECTS.sqlite).find(({ kind }) => kind === 'word');
  const word = first?.text.toUpperCase() ?? '';
  if (!OPENS_FILES.has(word)) return;
  throw new SqlError(`${word} is not allowed on a shared server, because it can reach other files.`, {
    position: first?.start ?? 0,
  });
}
