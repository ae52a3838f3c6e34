import { SqlError } from '../sqlError.ts';

/** What Google's errors carry, over HTTP or in a job's status. */
interface ApiFault {
  readonly message?: string;
  readonly code?: number | string;
  readonly errors?: readonly { readonly message?: string; readonly reason?: string }[];
}

const TAB = 8;

/** What the service or the way to it says, as an SqlError. @param sql the text that was sent */
export function bigqueryError(error: unknown, sql = ''): SqlError {
  if (error instanceof SqlError) return error;
  const fault = error as ApiFault;
  const [first] = fault.errors ?? [];
  const message = first?.message ?? fault.message ?? String(error);
  const place = / at \[(\d+):(\d+)\]$/.exec(message);
  return new SqlError(place === null ? message : message.slice(0, place.index), {
    cause: error,
    code: first?.reason ?? (fault.code === undefined ? null : String(fault.code)),
    position: place === null ? null : offsetOf(sql, Number(place[1]), Number(place[2])),
    hint: hintFor(message),
  });
}

/** True for what is not there, as against what may not be seen. */
export function isMissing(error: unknown): boolean {
  return (error as ApiFault | null)?.code === 404;
}

/** Lines and columns count from 1; a column is a character, a tab goes on to the next eighth. */
function offsetOf(sql: string, line: number, column: number): number {
  let start = 0;
  for (let left = line; left > 1; left -= 1) {
    const end = sql.indexOf('\n', start);
    if (end === -1) return sql.length;
    start = end + 1;
  }
  let at = start;
  for (let reached = 1; reached < column && at < sql.length && sql[at] !== '\n'; ) {
    reached = sql[at] === '\t' ? Math.floor((reached - 1) / TAB) * TAB + TAB + 1 : reached + 1;
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
