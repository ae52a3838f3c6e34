/** The type of a route's contract, from which validation, documentation and clients are derived. */

import type * as z from 'zod';
import type { Scope } from '../scopes.ts';

/**
 * One REST route, declared once: validation, OpenAPI, docs and the typed client derive from it. `path` has
 * parameters as `{name}`. `scope` is required, so an unclassified route does not compile.
 */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  /** An additional required scope. */
  readonly alsoScope?: Scope;
  /** Answers 403 outside personal mode. */
  readonly personalOnly?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The route accepts a form with a `file` and these texts, instead of a body. */
  readonly upload?: { readonly maxBytes: number; readonly fields: z.ZodObject };
  /**
   * The route reads its request itself: an invalid query or body is a 400. `body`: a media type to stream, or JSON.
   */
  readonly streams?: { readonly body?: string | z.ZodType };
  /** Whole numbers of its JSON body that a double cannot hold arrive as bigints. */
  readonly exactIntegers?: true;
  /** Whether the route has an admission queue of its own; its 429 is then JSON. */
  readonly admission?: true;
  /** The statuses of a success; default 200. With both 200 and 202: 202 if the body says `accepted` or `pending`. */
  readonly statuses?: readonly (200 | 201 | 202)[];
  /** The body of a success, or `bytes` if the route answers with a file. */
  readonly response: z.ZodType | 'bytes';
  /** For bytes: the possible content types; default application/octet-stream. */
  readonly media?: readonly string[];
  /** Error statuses of the route, for the documentation and the contract suite. */
  readonly errors: readonly (307 | 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504)[];
}
