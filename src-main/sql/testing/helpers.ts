/** Checks and waits that the tests of SQL drivers over a network share: statements, errors, cancels, hostile values. */

import { expect } from 'vitest';
import type { SqlConnection } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { boundSql, collect } from './bound.ts';
import { HOSTILE, hostileBinds } from './hostile.ts';

/** A signal that is never aborted. */
export const NEVER = new AbortController().signal;

/** The whole result of a statement without binds. */
export async function ask(connection: SqlConnection, sql: string, signal = NEVER) {
  return collect(await connection.query(boundSql(sql), { signal, snapshot: null }));
}

/** The SqlError that `work` rejects with; null if it resolves. Fails for other errors. */
export async function sqlErrorOf(work: Promise<unknown>): Promise<SqlError | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(SqlError);
      return error as SqlError; // checked above
    },
  );
}

/** Waits for a condition, until the test times out. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** Makes a connection closable with `await using`. */
export function disposable(connection: SqlConnection): SqlConnection & AsyncDisposable {
  return { ...connection, [Symbol.asyncDispose]: () => connection.close() };
}

/**
 * Binds hostile values of every kind and checks that each is accepted as a value or refused with an SqlError, and that
 * none is part of a statement. @param sent the statements that the fake server has received so far
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

/** Cancels a query that the fake server never answers, and checks that the server receives the cancel. */
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
