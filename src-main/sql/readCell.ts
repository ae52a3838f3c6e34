import type { CachePolicy } from '../../src-shared/notebook/annotation.ts';
import { sqlBody } from '../../src-shared/sql/body.ts';
import { DIALECTS, type DriverName } from '../../src-shared/sql/dialect.ts';
import { upper } from '../../src-shared/sql/scan.ts';
import { type RenderedStatement, render } from './render.ts';
import { SqlError } from './sqlError.ts';
import { type ReadStatement, readStatements } from './text/readStatements.ts';

/** One statement of a SQL cell, ready to be bound. */
export interface CellStatement extends ReadStatement {
  readonly rendered: RenderedStatement;
  /** Where its text begins in the cell's source. */
  readonly offset: number;
}

/** What a cell's annotations make of it. */
export interface CellMode {
  readonly write: boolean;
  readonly policy: CachePolicy;
  /** Its connection shows a catalog, whose tables have snapshots. */
  readonly hasCatalog: boolean;
}

/** Reading cells look whether the data changed, writing ones run once a session (sql). */
export function policyOf(cache: CachePolicy | null, write: boolean): CachePolicy {
  return cache ?? { kind: write ? 'session' : 'fingerprint' };
}

/** Whether a connection's block shows a catalog (notebook-file 3.6): those of duckdb can. */
export function hasCatalog(block: Readonly<Record<string, unknown>>): boolean {
  return block['driver'] === 'duckdb' && typeof block['catalog'] === 'string' && block['catalog'] !== '';
}

/** Drivers that can read every table as it was at a moment. */
const WITH_SNAPSHOTS: readonly DriverName[] = ['snowflake', 'bigquery'];

/**
 * The statements of a SQL cell. Nothing is connected to where they cannot be read, or do what the cell does not say
 * (sql).
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
  const statements = placed(body.offset, () => readStatements(body.text, dialect));
  return statements.map((read) => {
    const { statement } = read;
    const offset = body.offset + statement.offset;
    if (!write && !statement.reads) {
      const words = `${statement.kind} does more than read. To allow writes in this cell, add write=true to its # @sql line.`;
      throw new SqlError(words, { position: offset });
    }
    if (write && endsTransaction(read)) {
      const words = `${statement.kind} is not allowed: Cellar runs all statements of this cell in one transaction. Remove it.`;
      throw new SqlError(words, { position: offset });
    }
    return { ...read, offset, rendered: render(statement, dialect) };
  });
}

/** A commit among the statements would keep half of them where a later one fails (sql: one commit). */
function endsTransaction({ statement: { kind }, tokens }: ReadStatement): boolean {
  const words = tokens.map(upper);
  if (/^(ROLLBACK|ABORT)$/.test(kind)) return !words.includes('TO');
  if (kind === 'PREPARE' || kind === 'START') return words[1] === 'TRANSACTION';
  return /^(BEGIN|COMMIT|END)$/.test(kind);
}

function placed<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SqlError) || error.position === null) throw error;
    throw new SqlError(error.message, { ...error, position: error.position + offset, cause: error });
  }
}

/** Where in the source a database's complaint points; null where it says nothing of it. */
export function placeInSource(statements: readonly CellStatement[], error: SqlError): number | null {
  if (error.position === null) return null;
  const statement = statements[error.statement ?? 0];
  return statement === undefined ? null : statement.offset + statement.rendered.placeOf(error.position);
}

/**
 * `line 3, column 8` with the line itself and a mark under the place, above the words.
 * @param count of the cell's statements: where there are several and no place, the one that failed is named
 */
export function errorText(
  error: SqlError,
  source: string,
  { place, count }: { readonly place: number | null; readonly count: number },
): string {
  const hint = error.hint === null || error.hint === '' ? '' : `\nHint: ${error.hint}`;
  const of = error.statement === null || count < 2 ? '' : ` (statement ${error.statement + 1})`;
  if (place === null) return `${error.message}${hint}${of}`;
  const before = source.slice(0, place).split(/\r\n|\r|\n/);
  const line = source.split(/\r\n|\r|\n/)[before.length - 1] ?? '';
  const column = (before.at(-1) ?? '').length;
  const from = Math.max(0, column - 60);
  const shown = `${from > 0 ? '…' : ''}${line.slice(from, column + 60)}`;
  const mark = `${' '.repeat(column - from + (from > 0 ? 1 : 0))}^`;
  return `${error.message}${hint}\nline ${before.length}, column ${column + 1}:\n  ${shown}\n  ${mark}`;
}
