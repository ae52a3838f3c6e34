import { expect } from 'vitest';
import type { SqlConnection } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql, collect } from './bound.ts';
import { HOSTILE, hostileBinds } from './hostile.ts';

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

/**
 * Binds hostile values of every kind: each is taken as a value, or refused in words, and none is found in what is
 * sent. @param sent the texts the stand-in was sent so far
 */
export async function expectNothingInjected(
  connection: SqlConnection,
  sent: () => readonly string[],
): Promise<void> {
  const before = sent().length;
  for (const bind of hostileBinds()) {
    const bound = boundSql('SELECT ?', [bind], {
      text: 'SELECT :v',
      placeholders: [{ name: 'v', start: 7, end: 9 }],
    });
    await caught(connection.query(bound, { signal: NEVER, snapshot: null }).then(collect));
  }
  const texts = sent().slice(before);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => HOSTILE.some((hostile) => text.includes(hostile)))).toEqual([]);
}

/** Stops a query the stand-in never answers: it is told, and nobody waits for what it says to that. */
export async function expectCancelledThere(
  connection: SqlConnection,
  server: { readonly waiting: readonly unknown[]; readonly cancelled: readonly unknown[] },
): Promise<void> {
  const stop = new AbortController();
  const running = ask(connection, 'forever', stop.signal);
  await until(() => server.waiting.length === 1);
  stop.abort();
  await expect(running).rejects.toThrow();
  await until(() => server.cancelled.length === 1);
  expect(server.cancelled).toEqual(server.waiting);
}
