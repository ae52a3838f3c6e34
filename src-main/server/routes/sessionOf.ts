/**
 * Finds the session and cell that a request names, and dispatches requests to the session, for the handlers of routes.
 */

import { type CellId, isCellId } from '../../../src-shared/notebook/ids.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Session, Sessions } from '../../session/api.ts';
import { HELD_MESSAGE } from '../../session/state/holds.ts';
import type { Origin, Reply, SessionRequest } from '../../session/state/requests.ts';
import { type Caller, identityOf, principalOf } from '../caller.ts';

/**
 * A session that the caller may see. Sessions of other tenants are reported as unknown.
 * @throws AppError not_found
 */
export function sessionOf(sessions: Sessions, sid: string, message = 'Notebook not found'): Session {
  const session = sessions.find(sid);
  if (session === null) throw new AppError('not_found', message);
  return session;
}

/**
 * The same, to write outside of its mailbox. @throws AppError not_found; NOTEBOOK_QUIESCED while its folder is on hold
 */
export function writableSession(sessions: Sessions, sid: string): Session {
  const session = sessionOf(sessions, sid);
  if (session.views.notebook.hold === 'held') throw new AppError('NOTEBOOK_QUIESCED', HELD_MESSAGE);
  return session;
}

/** @throws AppError not_found, also for text that cannot be a cell id */
export function knownCellId(text: string): CellId {
  if (!isCellId(text)) throw new AppError('not_found', 'Cell not found');
  return text;
}

/** @throws AppError not_found */
export function cellOf(session: Session, id: CellId): Cell {
  const cell = session.views.cells.one(id);
  if (cell === null) throw new AppError('not_found', 'Cell not found');
  return cell;
}

/** A session and the caller whose request it gets. */
export interface SessionRequester {
  readonly session: Session;
  readonly caller: Caller;
  /** The name that the client declares for itself. */
  readonly author?: string | undefined;
}

type Granted<K extends Reply['kind']> = Extract<Reply, { readonly kind: K }>;

/**
 * Dispatches a request and waits for its kind of reply.
 * @throws AppError the session's refusal
 */
export async function dispatchAndWait<K extends Reply['kind']>(
  { session, caller, author }: SessionRequester,
  request: SessionRequest,
  kind: K,
): Promise<Granted<K>> {
  const origin: Origin = { kind: 'caller', identity: identityOf(caller, author), ...principalOf(caller) };
  const reply = await session.dispatch(request, origin);
  if (reply.kind === 'refused') throw reply.error;
  if (reply.kind !== kind)
    throw new Error(`${request.type} was answered by ${reply.kind} instead of ${kind}`);
  return reply as Granted<K>; // its kind was compared above
}
