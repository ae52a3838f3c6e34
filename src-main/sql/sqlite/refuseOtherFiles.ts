/** Refuses SQLite statements that open other files, on a shared server. */

import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { SqlError } from '../sqlError.ts';
import { scanSql } from '../text/scanSql.ts';

/** Statements that can open or write other files. The functions that could do so are not compiled in. */
const OPENS_FILES: ReadonlySet<string> = new Set(['ATTACH', 'VACUUM', 'PRAGMA']);

/**
 * Refuses statements that can reach other files than the connection's, on a shared server (docs/spec/sql.md, 3). SQLite
 * prepares one statement at a time, and each of these is identified by its first word.
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
