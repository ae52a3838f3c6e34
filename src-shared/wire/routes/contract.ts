import type * as z from 'zod';
import type { Scope } from '../scopes.ts';

/**
 * One REST route, declared once: validation, OpenAPI, docs and the typed client derive from it.
 * `path` writes parameters as `{name}`. `scope` is required, so an unclassified route does not compile.
 */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  /** A further scope it needs. */
  readonly alsoScope?: Scope;
  /** Answers 403 outside personal mode. */
  readonly personalOnly?: true;
  /** Whether calling it counts as activity of the session; every non-GET route does unless it says otherwise. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** It takes a form of a `file` and these texts, in place of a body. */
  readonly upload?: { readonly maxBytes: number; readonly fields: z.ZodObject };
  /** It reads its request for itself: a query or body that is none is a 400. `body`: a media type by stream, or JSON. */
  readonly streams?: { readonly body?: string | z.ZodType };
  /** The statuses it may answer on success; default 200. Of 200 and 202: 202 where the body says `accepted` or `pending`. */
  readonly statuses?: readonly (200 | 201 | 202)[];
  /** The body of those, or `bytes` where the route answers a file. */
  readonly response: z.ZodType | 'bytes';
  /** Of bytes: the content types they may have; default application/octet-stream. */
  readonly media?: readonly string[];
  /** Error statuses the route may answer, for the documentation and the contract suite. */
  readonly errors: readonly (400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503)[];
}
