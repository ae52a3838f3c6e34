/** Decides what a request with the token of a cell's `svc` client may do. */

import { CELL_TOKEN_PREFIX, type CellClients } from '../../session/effects/cellClients.ts';

/** `none`: the request shows no such token. */
type CellTokenVerdict = 'none' | 'admitted' | 'unknown' | 'forbidden';

export const UNKNOWN_CELL_TOKEN =
  'The token of this client is not valid, because its notebook was closed. Run the cell again.';
export const FORBIDDEN_TO_CELL_TOKEN =
  'The client of a cell may not use this route. It may use materialize, streams, builds, artifacts, names, aliases, tags and promotion of its own notebook.';

const ARTIFACT = '/v1/artifacts/[^/]+/v/[1-9][0-9]*';
/** The routes that the client `svc` needs (harness/python/svc-client). */
const ALLOWED_ROUTES: readonly { readonly methods: readonly string[]; readonly path: RegExp }[] = [
  { methods: ['POST'], path: /^\/v1\/(artifacts\/)?materialize$/ },
  { methods: ['GET'], path: /^\/v1\/streams\/[^/]+$/ },
  { methods: ['GET'], path: /^\/v1\/(artifacts\/)?builds\/[^/]+$/ },
  { methods: ['PUT'], path: /^\/v1\/artifacts$/ },
  { methods: ['GET'], path: new RegExp(`^${ARTIFACT}(/data)?$`) },
  { methods: ['GET', 'PUT'], path: new RegExp(`^${ARTIFACT}/tags$`) },
  { methods: ['POST'], path: /^\/v1\/names$/ },
  { methods: ['GET'], path: /^\/v1\/names\/.+$/ },
  { methods: ['PUT'], path: /^\/v1\/names\/.+\/aliases\/[^/]+$/ },
];
const PROMOTION = /^\/v1\/notebooks\/([^/]+)\/artifacts\/[^/]+\/v\/[1-9][0-9]*\/promote$/;
/** Dot segments, which later code might resolve to another route. */
const DOT_SEGMENTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** What a request with the token of a cell's client may do, wherever it arrives. */
export function judgeCellToken(
  {
    method,
    url,
    authorization,
  }: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string | undefined;
  },
  clients: Pick<CellClients, 'sessionOf'>,
): CellTokenVerdict {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (!token.startsWith(CELL_TOKEN_PREFIX)) return 'none';
  const session = clients.sessionOf(token);
  if (session === null) return 'unknown';
  const path = url.split('?', 1)[0] ?? '';
  if (DOT_SEGMENTS.test(path)) return 'forbidden';
  if (method === 'POST' && PROMOTION.exec(path)?.[1] === session) return 'admitted';
  return ALLOWED_ROUTES.some((row) => row.methods.includes(method) && row.path.test(path))
    ? 'admitted'
    : 'forbidden';
}
