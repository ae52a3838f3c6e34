/** Converts errors of PostgreSQL and of its connection to SqlErrors. */

import { DatabaseError } from 'pg';
import { secretPlaceText } from '../secretPlaceText.ts';
import { SqlError } from '../sqlError.ts';

/**
 * An error of the server or the network as an SqlError.
 * @param sql the text that was sent. The server counts characters from 1; SqlError counts UTF-16 units from 0
 */
export function pgError(error: unknown, sql = ''): SqlError {
  if (error instanceof SqlError) return error;
  if (!(error instanceof DatabaseError)) {
    const message = error instanceof Error ? error.message : String(error);
    return new SqlError(message, { cause: error, code: codeOf(error) });
  }
  const detail = error.detail === undefined ? '' : ` (${error.detail})`;
  return new SqlError(`${error.message}${detail}`, {
    cause: error,
    code: error.code ?? null,
    hint: error.hint ?? null,
    position: error.position === undefined ? null : offsetOf(sql, Number(error.position)),
  });
}

/** The UTF-16 offset of the nth character; characters may have two units. */
function offsetOf(sql: string, character: number): number {
  let offset = 0;
  let remaining = character - 1;
  for (const one of sql) {
    if (remaining <= 0) break;
    offset += one.length;
    remaining -= 1;
  }
  return offset;
}

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused. Check that the server is running, and check host and port.',
  ENOTFOUND: 'host not found. Check the host name.',
  EAI_AGAIN: 'the host name could not be resolved. Check the network.',
  ETIMEDOUT: 'the server did not respond in time.',
  ECONNRESET: 'the server closed the connection.',
  ENOENT: 'there is no such socket.',
};

/** The error of a failed connection, with the address and what to fix. */
export function connectError(error: unknown, facts: { name: string; place: string }): SqlError {
  const failure = pgError(error);
  const lead = `The connection "${facts.name}" could not be opened to ${facts.place}: `;
  if (/SCRAM|password must be a/.test(failure.message) || failure.code === '28P01') {
    return new SqlError(
      `${lead}the server rejected the password. ${secretPlaceText('password', 'PGPASSWORD')}`,
      {
        cause: error,
        code: failure.code,
      },
    );
  }
  const advice = ADVICE[failure.code ?? ''];
  return new SqlError(`${lead}${advice ?? failure.message}`, {
    cause: error,
    code: failure.code,
    hint: failure.hint,
  });
}

function codeOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code === 'string') return code;
  // A host with several addresses fails once for each.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}
