/** Parses and checks the statements of a SQL cell before a connection is made, and formats errors with their line. */

import type { CachePolicy } from '../../src-shared/notebook/annotation.ts';
import { sqlBody } from '../../src-shared/sql/body.ts';
import { DIALECTS, type DriverName } from '../../src-shared/sql/dialect.ts';
import { upperCaseWord } from '../../src-shared/sql/scan.ts';
import { type RenderedStatement, render } from './render.ts';
import { SqlError } from './sqlError.ts';
import { type ReadStatement, readStatements } from './text/readStatements.ts';

/** One statement of a SQL cell, ready for binding. */
export interface CellStatement extends ReadStatement {
  readonly rendered: RenderedStatement;
  /** The position of its text in the cell's source. */
  readonly offset: number;
}

/** The annotations of a cell that decide how it runs. */
export interface CellMode {
  readonly write: boolean;
  readonly policy: CachePolicy;
  /** Whether the cell's connection has a catalog, whose tables have snapshots. */
  readonly hasCatalog: boolean;
}

/** Cells that read check whether the data changed; cells that write run once per session (docs/spec/sql.md, 2). */
export function policyOf(cache: CachePolicy | null, write: boolean): CachePolicy {
  return cache ?? { kind: write ? 'session' : 'fingerprint' };
}

/** Whether a connection's block has a catalog (docs/spec/notebook-file.md, 3.6); only duckdb can. */
export function hasCatalog(block: Readonly<Record<string, unknown>>): boolean {
  return block['driver'] === 'duckdb' && typeof block['catalog'] === 'string' && block['catalog'] !== '';
}

/** Drivers that can read every table at a point in time. */
const WITH_SNAPSHOTS: readonly DriverName[] = ['snowflake', 'bigquery'];

/**
 * The statements of a SQL cell. Checks them before any connection is made: they must be readable and may only do what
 * the cell's annotations allow (docs/spec/sql.md, 1).
 * @throws SqlError with the position in the source
 */
export function readCell(
  source: string,
  { write, policy, hasCatalog }: CellMode,
  driver: DriverName,
): readonly CellStatement[] {
  if (write && (policy.kind === 'fingerprint' || policy.kind === 'snapshot')) {
    throw new SqlError(
      `A cell that writes cannot use @cache ${policy.kind}, because it changes its own tables. Use session, forever or ttl=<seconds>.`,
    );
  }
  if (policy.kind === 'snapshot' && !hasCatalog && !WITH_SNAPSHOTS.includes(driver)) {
    throw new SqlError(
      `A ${driver} connection does not support snapshots. Use # @cache fingerprint, session, forever or ttl=<seconds>.`,
    );
  }
  const body = sqlBody(source);
  const dialect = DIALECTS[driver];
  const statements = withOffset(body.offset, () => readStatements(body.text, dialect));
  return statements.map((read) => {
    const { statement } = read;
    const offset = body.offset + statement.offset;
    if (!write && !statement.reads) {
      const message = `${statement.kind} does more than read. To allow writes in this cell, add write=true to its # @sql line.`;
      throw new SqlError(message, { position: offset });
    }
    if (write && endsTransaction(read)) {
      const message = `${statement.kind} is not allowed: Cellar runs all statements of this cell in one transaction. Remove it.`;
      throw new SqlError(message, { position: offset });
    }
    return { ...read, offset, rendered: render(statement, dialect) };
  });
}

/**
 * With a commit among the statements, some changes would remain when a later statement fails (docs/spec/sql.md, 1: one
 * commit).
 */
function endsTransaction({ statement: { kind }, tokens }: ReadStatement): boolean {
  const words = tokens.map(upperCaseWord);
  if (/^(ROLLBACK|ABORT)$/.test(kind)) return !words.includes('TO');
  if (kind === 'PREPARE' || kind === 'START') return words[1] === 'TRANSACTION';
  return /^(BEGIN|COMMIT|END)$/.test(kind);
}

function withOffset<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SqlError) || error.position === null) throw error;
    throw new SqlError(error.message, { ...error, position: error.position + offset, cause: error });
  }
}

/** The position of a database error in the source; null when it has none. */
export function positionInSource(statements: readonly CellStatement[], error: SqlError): number | null {
  if (error.position === null) return null;
  const statement = statements[error.statement ?? 0];
  return statement === undefined ? null : statement.offset + statement.rendered.placeOf(error.position);
}

/**
 * The message with `line 3, column 8`, the line itself and a mark below the position.
 * @param count of the cell's statements: with several and no position, the failed statement is named
 */
export function errorText(
  error: SqlError,
  source: string,
  { place, count }: { readonly place: number | null; readonly count: number },
): string {
  const hint = error.hint === null || error.hint === '' ? '' : `\nHint: ${error.hint}`;
  const suffix = error.statement === null || count < 2 ? '' : ` (statement ${error.statement + 1})`;
  if (place === null) return `${error.message}${hint}${suffix}`;
  const before = source.slice(0, place).split(/\r\n|\r|\n/);
  const line = source.split(/\r\n|\r|\n/)[before.length - 1] ?? '';
  const column = (before.at(-1) ?? '').length;
  const from = Math.max(0, column - 60);
  const excerpt = `${from > 0 ? '…' : ''}${line.slice(from, column + 60)}`;
  const mark = `${' '.repeat(column - from + (from > 0 ? 1 : 0))}^`;
  return `${error.message}${hint}\nline ${before.length}, column ${column + 1}:\n  ${excerpt}\n  ${mark}`;
}
