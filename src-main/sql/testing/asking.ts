import { expect } from 'vitest';
import type { SqlConnection } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql, collect } from './bound.ts';

/** What the tests of every driver over a network do with a connection. */

/** A signal that nobody aborts. */
export const NEVER = new AbortController().signal;

/** A whole result of a statement that binds nothing. */
export async function ask(connection: SqlConnection, sql: string, signal = NEVER) {
  return collect(await connection.query(boundSql(sql), { signal, snapshot: null }));
}

/** The error some work ends with; null where it does not. Fails for errors that are not in words. */
export async function caught(work: Promise<unknown>): Promise<SqlError | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(SqlError);
      return error as SqlError; // as just seen
    },
  );
}

/** Waits as long as the test may take. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** Closed at the end of its block. */
export function disposable(connection: SqlConnection): SqlConnection & AsyncDisposable {
  return { ...connection, [Symbol.asyncDispose]: () => connection.close() };
}
