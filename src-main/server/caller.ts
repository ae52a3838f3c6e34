/** The identity and scopes of a client, as the server's edge determines them, and checks of those scopes. */

import { AppError } from '../../src-shared/wire/errors.ts';
import type { Scope } from '../../src-shared/wire/scopes.ts';

/**
 * The identity of a client. Made once per request or socket and passed on as a value; later code never reads identity
 * from headers. A personal server has one caller, who may do everything (docs/spec/rest-core.md, 1, 3, 5).
 */
export interface Caller {
  /** The authenticated name; null if callers are not authenticated. */
  readonly principal: string | null;
  readonly tenant: string | null;
  readonly scopes: 'all' | ReadonlySet<string>;
}

export const PERSONAL_CALLER: Caller = { principal: null, tenant: null, scopes: 'all' };

/** @param scope one of {@link Scope}, or one that an administrator names in the configuration */
export function hasScope(caller: Caller, scope: string): boolean {
  if (scope === 'none' || scope === 'any' || caller.scopes === 'all') return true;
  return caller.scopes.has(scope) || caller.scopes.has('admin:*');
}

/**
 * @throws AppError insufficient_scope, with the message of docs/spec/rest-notebooks.md, 9 and docs/spec/rest-core.md, 4
 */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!hasScope(caller, scope)) {
    throw new AppError('insufficient_scope', `This route requires the ${scope} scope`);
  }
}

/** The authenticated name as part of a request's origin; empty without one. */
export function principalOf({ principal }: Caller): { readonly principal?: string } {
  return principal === null ? {} : { principal };
}

/** In characters. */
const MAX_NAME = 128;
const UNPRINTABLE = /\p{C}/gu;

/**
 * The name recorded for an edit: the principal, else the name the client declares, else `local`.
 * Declared names are printable, trimmed and at most 128 characters (docs/spec/live-protocol.md, 4).
 */
export function identityOf(caller: Caller, declared: string | undefined): string {
  if (caller.principal !== null) return caller.principal;
  const name = (declared ?? '').replace(UNPRINTABLE, '').trim();
  // Count code points: a name cut inside a surrogate pair could be neither stored nor sent.
  const limited = [...name].slice(0, MAX_NAME).join('');
  return limited === '' ? 'local' : limited;
}
