/** Reads the result of a PostgreSQL statement page by page. */

import type { Client, Connection } from 'pg';
import Cursor from 'pg-cursor';
import type { BoundStatement } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { type PgBind, pgBind } from './binds.ts';
import { pgError } from './pgError.ts';

/** A row as the server sends it: the text of each value. */
export type TextRow = readonly (string | null)[];

/** A column of a result as the server describes it. */
export interface PgField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

/** Some rows of a result, with its columns. */
export interface Page {
  readonly rows: readonly TextRow[];
  readonly fields: readonly PgField[];
  /** The server's count of changed rows; null before the end of the statement. */
  readonly rowCount: number | null;
}

/** Leaves values as text; `values.ts` reads them without losing digits. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** A running statement; the server holds the rows that were not read yet. */
export class PgCursor {
  readonly #cursor: Cursor<(string | null)[]>;
  readonly #sql: string;

  /** @throws SqlError for a text or a bind that cannot be sent */
  constructor(client: Client, { sql, binds }: Pick<BoundStatement, 'sql' | 'binds'>) {
    // NUL ends strings in the protocol, so the rest would be read as something else.
    if (sql.includes('\0')) throw new SqlError('The statement contains a NUL character.');
    const pgBinds = binds.map(pgBind);
    this.#sql = sql;
    this.#cursor = withParameterTypes(
      new Cursor(
        sql,
        pgBinds.map(({ value }) => value),
        { rowMode: 'array', types: AS_TEXT as never },
      ),
      pgBinds,
    );
    client.query(this.#cursor);
  }

  /** Reads the next rows, at most `count`. @throws SqlError with the server's message */
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

/** Adds the parameter types to the Parse message; pg-cursor would leave them to the server's inference. */
function withParameterTypes<T extends Cursor>(cursor: T, binds: readonly PgBind[]): T {
  const submit = cursor.submit;
  cursor.submit = (connection: Connection) => {
    const parser = connection as unknown as { parse: (query: object, more: boolean) => void }; // not in pg's types
    const parse = parser.parse;
    parser.parse = (query, more) =>
      parse.call(parser, { ...query, types: binds.map(({ type }) => type) }, more);
    try {
      submit.call(cursor, connection);
    } finally {
      parser.parse = parse;
    }
  };
  return cursor;
}
