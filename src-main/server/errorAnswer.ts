/** Turns errors into HTTP answers: the status, the body, and whether the error is logged. */

import { dirname } from 'node:path';
import { AppError, ERRORS, type ErrorCode } from '../../src-shared/wire/errors.ts';
import { StoreError } from '../artifacts/artifact.ts';
import { PlaneRefusal } from '../dataPlane/planeRefusal.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { NOT_PLAIN } from '../lib/plainFile.ts';
import { ProvenanceMiss, RegistryError, type RegistryErrorCode } from '../registry/registryError.ts';
import { TableError } from '../table/service/tableService.ts';

/**
 * A refusal as an HTTP answer, and whether to log it: as an error if the program or the disk is at fault, as a warning
 * if the user's folder is. The answer to a bug has no details.
 */
interface ErrorAnswer {
  readonly status: number;
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly logged: 'error' | 'warn' | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One entry of a 422 body. */
export interface InvalidPart {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  /** The value as it was sent; for a missing field, the object without it. Absent if it is long. */
  readonly input?: unknown;
  /** The limit or the choices that the value violates. */
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A request whose path, query or body does not match its contract. */
export class InvalidRequest extends Error {
  readonly parts: readonly InvalidPart[];

  constructor(parts: readonly InvalidPart[]) {
    super(parts.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
    this.name = 'InvalidRequest';
    this.parts = parts;
  }
}

/** The only place that turns errors into statuses and bodies (docs/spec/rest-core.md, 7). */
export function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof InvalidRequest) return expected(422, { detail: error.parts });
  if (error instanceof AppError) return fromTable(error);
  if (error instanceof RegistryError) return fromRegistry(error);
  if (error instanceof PlaneRefusal) return fromPlane(error);
  // The session ended while the request was handled. The next request will not find the session.
  if (error instanceof StoreError && error.code === 'closed')
    return fromTable(new AppError('conflict', 'The session is closing.'));
  if (error instanceof PlaceRefusal) {
    return { status: ERRORS.conflict.status, body: { detail: error.message }, logged: 'warn' };
  }
  if (error instanceof TableError) return { ...fromTable(tableRefusal(error)), logged: 'warn' };
  const refused = fromFastify(error) ?? fromFolder(error) ?? fromDisk(error);
  return refused ?? { status: 500, body: { detail: 'Internal server error' }, logged: 'error' };
}

/** The table needed more memory or time than allowed, or its file was removed. */
function tableRefusal({ message, refused }: TableError): AppError {
  if (refused) return new AppError('bad_request', message);
  return new AppError('invalid', `This table cannot be shown: ${message}. Read it in a cell instead.`);
}

const REGISTRY_CODES = {
  invalid: 'bad_request',
  not_found: 'not_found',
  conflict: 'conflict',
  forbidden: 'forbidden',
  unavailable: 'draining',
} as const satisfies Record<RegistryErrorCode, ErrorCode>;

function fromRegistry(error: RegistryError): ErrorAnswer {
  const answer = fromTable(new AppError(REGISTRY_CODES[error.code], error.message));
  return error instanceof ProvenanceMiss ? { ...answer, headers: { 'X-Svc-Provenance-Miss': '1' } } : answer;
}

function fromPlane({ status, body, retryAfterSeconds, location }: PlaneRefusal): ErrorAnswer {
  return {
    ...expected(status, body),
    headers: {
      ...(retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(location === null ? {} : { Location: location }),
    },
  };
}

function fromTable(error: AppError): ErrorAnswer {
  const { status, body } = ERRORS[error.code];
  const { retry_after_seconds: seconds } = error.context;
  if (error.code === 'ai_rate_limited' && seconds !== undefined) {
    return { ...expected(status, { detail: error.message }), headers: { 'Retry-After': String(seconds) } };
  }
  switch (body) {
    case 'string':
      return expected(status, { detail: error.message });
    case 'coded':
      return expected(status, { detail: { code: error.code, message: error.message, ...error.context } });
    case 'said':
      return expected(status, { detail: { message: error.message, ...error.context } });
    case 'text':
      return expected(status, error.message);
    default:
      return body satisfies never;
  }
}

/** Requests that Fastify refuses: too large, an invalid URL, an invalid length. */
function fromFastify(error: unknown): ErrorAnswer | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return null;
  if (error.statusCode === 413) return expected(413, { detail: 'Request body is too large.' });
  if (error.statusCode < 400 || error.statusCode > 499) return null;
  return expected(error.statusCode, { detail: error.message });
}

/** A folder where a file belongs, a pipe, or a file where a folder belongs: the user can move it away. */
function fromFolder(error: unknown): ErrorAnswer | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error) || !('path' in error))
    return null;
  const isFile = error.code === 'ENOTDIR' || (error.code === 'EEXIST' && error.syscall === 'mkdir');
  const isNoFile = error.code === 'EISDIR' || (error.code === NOT_PLAIN && error.syscall === 'read');
  if (!isFile && !isNoFile) return null;
  const what = isFile ? 'a file, but must be a folder' : 'not a regular file';
  const detail = `${String(error.path)} is ${what}. Move it away, then try again.`;
  return { status: ERRORS.conflict.status, body: { detail }, logged: 'warn' };
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);
/** What the user can do about each error of the disk. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: ' Free some space on the disk, then try again.',
  EDQUOT: ' Free some space on the disk, then try again.',
  EROFS: ' Copy the notebook to a writable disk and open it there.',
  EACCES: ' Change the permissions, or copy the notebook to one of your folders.',
  EPERM: ' Change the permissions, or copy the notebook to one of your folders.',
};

/**
 * The disk is full, read-only, removed or not accessible: the user can fix it, so the answer contains the system's
 * error.
 */
function fromDisk(error: unknown): ErrorAnswer | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  const code = String(error.code);
  // Errors of an open file that is written to carry no path.
  if (!('path' in error) && !NO_ROOM.has(code)) return null;
  // docs/spec/rest-notebooks.md, 9; docs/spec/rest-core.md, 4: a missing permission is 403.
  const { status } = code === 'EACCES' || code === 'EPERM' ? ERRORS.forbidden : ERRORS.conflict;
  const detail = `${whatIsRefused(error, code)}.${ADVICE[code] ?? ''}`;
  return { status, body: { detail }, logged: 'error' };
}

/** If something cannot be created, the path to fix is its folder. */
function whatIsRefused(error: Error & { readonly syscall: unknown }, code: string): string {
  const isLocked = code === 'EROFS' || (error.syscall === 'mkdir' && (code === 'EACCES' || code === 'EPERM'));
  if (!isLocked || !('path' in error)) return `Disk error: ${error.message}`;
  const folder = dirname(String(error.path));
  return `The folder ${folder} cannot be written to (${error.message})`;
}

function expected(status: number, body: ErrorAnswer['body']): ErrorAnswer {
  return { status, body, logged: null };
}
