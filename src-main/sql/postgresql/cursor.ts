import type { Client, Connection } from 'pg';
import Cursor from 'pg-cursor';
import type { BoundStatement } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { type PgBind, pgBind } from './binds.ts';
import { pgError } from './pgError.ts';

/** A row as the server sends it: each value as text. */
export type TextRow = readonly (string | null)[];

export interface PgField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface Page {
  readonly rows: readonly TextRow[];
  readonly fields: readonly PgField[];
  /** The number of changed rows according to the server; null before the end. */
  readonly rowCount: number | null;
}

/** Leaves values as text, which `values.ts` reads without losing digits. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** A running statement; the server keeps the rows that were not fetched yet. */
export class PgCursor {
  readonly #cursor: Cursor<(string | null)[]>;
  readonly #sql: string;

  /** @throws SqlError for a text or a value that cannot be sent */
  constructor(client: Client, { sql, binds }: Pick<BoundStatement, 'sql' | 'binds'>) {
    // NUL ends texts in the protocol, so the rest would be read as something else.
    if (sql.includes('\0')) throw new SqlError('The statement contains a NUL character.');
    const pgBinds = binds.map(pgBind);
    this.#sql = sql;
    this.#cursor = withTypes(
      new Cursor(
        sql,
        pgBinds.map(({ value }) => value),
        { rowMode: 'array', types: AS_TEXT as never },
      ),
      pgBinds,
    );
    client.query(this.#cursor);
  }

  /** The next rows, at most `count`. @throws SqlError with the server's message */
  read(count: number): Promise<Page> {
    return new Promise((resolve, reject) => {
      this.#cursor.read(count, (error, rows, result) => {
        if (error) reject(pgError(error, this.#sql));
        else resolve({ rows, fields: result?.fields ?? [], rowCount: result?.rowCount ?? null });
      });
    });
  }

  close(): Promise<void> {
    return this.#cursor.close();
  }
}

/** pg-cursor lets the server guess the types of parameters; this adds ours to its parse message. */
function withTypes<T extends Cursor>(cursor: T, binds: readonly PgBind[]): T {
  const submit = cursor.submit;
  cursor.submit = (connection: Connection) => {
    const internals = connection as unknown as { parse: (query: object, more: boolean) => void }; // not in pg's types
    const parse = internals.parse;
    internals.parse = (query, more) =>
      parse.call(internals, { ...query, types: binds.map(({ type }) => type) }, more);
    try {
      submit.call(cursor, connection);
    } finally {
      internals.parse = parse;
    }
  };
  return cursor;
}
