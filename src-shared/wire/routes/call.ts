/**
 * Makes the path of a route's call from its contract, and reads refusals: the parts of a client that need no transport.
 */
import type * as z from 'zod';
import type { ROUTES, RouteName } from './all.ts';
import type { RouteContract } from './contract.ts';

type Contracts = typeof ROUTES;
type Part<N extends RouteName, K extends 'params' | 'query' | 'body'> = Contracts[N] extends {
  readonly [P in K]: infer S extends z.ZodType;
}
  ? { readonly [P in K]: z.input<S> }
  : Record<never, never>;

/** The arguments of a call, from the route's contract. */
export type CallOf<N extends RouteName> = Part<N, 'params'> & Part<N, 'query'> & Part<N, 'body'>;

/** The reply of a route; `Bytes` if the route returns a file. */
export type AnswerOf<N extends RouteName, Bytes> = Contracts[N]['response'] extends z.ZodType
  ? z.infer<Contracts[N]['response']>
  : Bytes;

/** The parts of a call, without their types. */
export interface CallParts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Path and query of a call: `/v1/notebooks/s1/cells?…`. Undefined values of the query are omitted. */
export function routePath(contract: Pick<RouteContract, 'path'>, { params, query }: CallParts): string {
  const path = contract.path.replace(/\{(\w+)\}/g, (_all, key: string) =>
    encodeURIComponent(String(params?.[key] ?? '')),
  );
  const search = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

/**
 * The message and code of a refusal: `{detail: string}`, `{detail: {code, message}}`, a validation list, or
 * plain text (docs/spec/rest-core.md, 7, Errors). The message is null if it contains none.
 */
export function refusalIn(text: string): { readonly message: string | null; readonly code: string | null } {
  const plain = { message: text.trim() === '' ? null : text.slice(0, 500), code: null };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (_notJson) {
    return plain;
  }
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  if (typeof detail === 'string') return { message: detail, code: null };
  if (Array.isArray(detail)) {
    const message = detail.map((issue: unknown) =>
      typeof issue === 'object' && issue !== null && 'msg' in issue ? String(issue.msg) : '',
    );
    return { message: message.filter((word) => word !== '').join('; ') || plain.message, code: null };
  }
  if (typeof detail === 'object' && detail !== null && 'message' in detail) {
    return { message: String(detail.message), code: 'code' in detail ? String(detail.code) : null };
  }
  return plain;
}
