import type { Client, Connection } from 'pg';
import Cursor from 'pg-cursor';
import type { BoundStatement } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { type PgBind, pgBind } from './binds.ts';
import { pgError } from './pgError.ts';

/** A row as the server sends it: the text of each value. */
export type TextRow = readonly (string | null)[];

export interface PgField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface Page {
  readonly rows: readonly TextRow[];
  readonly fields: readonly PgField[];
  /** As the server counts what a statement changed; null before its end. */
  readonly rowCount: number | null;
}

/** Values stay the text they came as: `values.ts` reads them without losing digits. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** A statement on its way: the server keeps what was not asked for yet. */
export class PgCursor {
  readonly #cursor: Cursor<(string | null)[]>;
  readonly #sql: string;

  /** @throws SqlError for a text or a bind that cannot be sent */
  constructor(client: Client, { sql, binds }: Pick<BoundStatement, 'sql' | 'binds'>) {
    // The protocol ends texts with it: what follows would be read as something else.
    if (sql.includes('\0')) throw new SqlError('The statement contains a NUL character.');
    const sent = binds.map(pgBind);
    this.#sql = sql;
    this.#cursor = typed(
      new Cursor(
        sql,
        sent.map(({ value }) => value),
        { rowMode: 'array', types: AS_TEXT as never },
      ),
      sent,
    );
    client.query(this.#cursor);
  }

  /** The next rows, at most `count`. @throws SqlError as the server says it */
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

/** pg-cursor leaves the types of parameters to the server's guess; ours go with its message to parse the statement. */
function typed<T extends Cursor>(cursor: T, binds: readonly PgBind[]): T {
  const submit = cursor.submit;
  cursor.submit = (connection: Connection) => {
    const line = connection as unknown as { parse: (query: object, more: boolean) => void }; // not in pg's types
    const parse = line.parse;
    line.parse = (query, more) => parse.call(line, { ...query, types: binds.map(({ type }) => type) }, more);
    try {
      submit.call(cursor, connection);
    } finally {
      line.parse = parse;
    }
  };
  return cursor;
}
