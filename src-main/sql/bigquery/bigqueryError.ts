/** Converts errors of BigQuery to SqlErrors with a position and a hint. */

import { SqlError } from '../sqlError.ts';

/** The fields of Google's errors, from HTTP or a job's status. */
interface ApiFault {
  readonly message?: string;
  readonly code?: number | string;
  readonly errors?: readonly { readonly message?: string; readonly reason?: string }[];
}

const TAB = 8;

/** Converts an error of the service or the network to an SqlError. @param sql the text that was sent */
export function bigqueryError(error: unknown, sql = ''): SqlError {
  if (error instanceof SqlError) return error;
  const fault = error as ApiFault;
  const [first] = fault.errors ?? [];
  const message = first?.message ?? fault.message ?? String(error);
  const position = / at \[(\d+):(\d+)\]$/.exec(message);
  return new SqlError(position === null ? message : message.slice(0, position.index), {
    cause: error,
    code: first?.reason ?? (fault.code === undefined ? null : String(fault.code)),
    position: position === null ? null : offsetOf(sql, Number(position[1]), Number(position[2])),
    hint: hintFor(message),
  });
}

/** Whether it means that something does not exist, not that access is denied. */
export function isMissing(error: unknown): boolean {
  return (error as ApiFault | null)?.code === 404;
}

/** Lines and columns count from 1; a column is a character, and a tab ends at the next multiple of eight. */
function offsetOf(sql: string, line: number, column: number): number {
  let start = 0;
  for (let remaining = line; remaining > 1; remaining -= 1) {
    const end = sql.indexOf('\n', start);
    if (end === -1) return sql.length;
    start = end + 1;
  }
  let at = start;
  for (let currentColumn = 1; currentColumn < column && at < sql.length && sql[at] !== '\n'; ) {
    currentColumn =
      sql[at] === '\t' ? Math.floor((currentColumn - 1) / TAB) * TAB + TAB + 1 : currentColumn + 1;
    at += String.fromCodePoint(sql.codePointAt(at) ?? 0).length;
  }
  return at;
}

function hintFor(message: string): string | null {
  if (/default credentials/.test(message)) {
    return 'Set credentials_path to a key file, or log in with "gcloud auth application-default login".';
  }
  if (/time travel|before the allowed time/i.test(message)) {
    return 'The snapshot this cell reads is no longer available. Rerun the cell to use a new one.';
  }
  return null;
}
