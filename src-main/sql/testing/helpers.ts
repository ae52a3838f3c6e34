import { expect } from 'vitest';
import type { SqlConnection } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql, collect } from './bound.ts';
import { HOSTILE, hostileBinds } from './hostile.ts';

/** Helpers that the tests of all network drivers share. */

/** A signal that is never aborted. */
export const NEVER = new AbortController().signal;

/** The whole result of a statement without bound values. */
export async function ask(connection: SqlConnection, sql: string, signal = NEVER) {
  return collect(await connection.query(boundSql(sql), { signal, snapshot: null }));
}

/** The error that a promise rejects with; null if it resolves. Fails if the error is not an SqlError. */
export async function sqlErrorOf(work: Promise<unknown>): Promise<SqlError | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(SqlError);
      return error as SqlError; // checked above
    },
  );
}

/** Waits until the condition holds; the timeout of the test is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** A connection that is closed at the end of its block. */
export function disposable(connection: SqlConnection): SqlConnection & AsyncDisposable {
  return { ...connection, [Symbol.asyncDispose]: () => connection.close() };
}

/**
 * Binds hostile values of every kind: each is accepted as a value or refused with an SqlError, and none appears in the
 * text that is sent. @param sent the texts that the test server received so far
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
    await sqlErrorOf(connection.query(bound, { signal: NEVER, snapshot: null }).then(collect));
  }
  const texts = sent().slice(before);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => HOSTILE.some((hostile) => text.includes(hostile)))).toEqual([]);
}

/** Cancels a query that the test server never answers: the server receives the cancellation, its response is not awaited. */
export async function expectCancelled(
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
