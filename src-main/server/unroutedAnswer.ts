/** Answers requests that no route serves: 404 for unknown paths, 405 for known paths with another method. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { fastifyPath } from './fastifyPath.ts';

/** A path template and its methods. */
interface Place {
  readonly path: string;
  readonly parts: readonly string[];
  readonly served: ReadonlySet<string>;
}

/** The methods of routes; a HEAD uses the route of its GET. */
const ROUTED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Methods that may be answered with 405; others always get 404. */
const METHODS: ReadonlySet<string> = new Set([...ROUTED, 'HEAD', 'OPTIONS', 'TRACE']);
/** By number of segments. */
const PLACES: ReadonlyMap<number, readonly Place[]> = placesOfRoutes();

/**
 * Answers requests that no route matched. If the path exists with other methods, the answer is 405 with the list of
 * them. These are not routes, because they would be three quarters of all routes that a server registers at its start.
 */
export function unroutedAnswer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const place = METHODS.has(request.method) ? placeAt(addressOf(request.url)) : null;
  if (place === null || place.served.has(request.method))
    return reply.code(404).send({ detail: 'Not Found' });
  return refuse(reply, place.served);
}

/**
 * A path with a literal segment (`/v1/notebooks/sessions/{sid}`) must not reach, for a method it does not have, the
 * route with a parameter in its place (`/v1/notebooks/{sid}/close`). Registers a 405 for those methods; ids never equal
 * the literal segments.
 */
export function reserveLiteralPaths(fastify: FastifyInstance): void {
  for (const place of [...PLACES.values()].flat()) {
    const rivals = placesLike(place.parts).filter((other) => comesFirst(place, other));
    const methods = ROUTED.filter(
      (method) => !place.served.has(method) && rivals.some(({ served }) => served.has(method)),
    );
    if (methods.length === 0) continue;
    fastify.route({
      method: methods,
      url: fastifyPath(place.path),
      handler: (_request, reply) => refuse(reply, place.served),
    });
  }
}

const isName = (part: string | undefined): boolean => part?.startsWith('{') === true;

function placesLike(parts: readonly string[]): readonly Place[] {
  return PLACES.get(parts.length) ?? [];
}

/**
 * Whether some URL path matches both templates and the router prefers the first, which has a literal segment where the
 * second has a parameter.
 */
function comesFirst({ parts }: Place, { parts: others }: Place): boolean {
  if (!parts.every((part, at) => part === others[at] || isName(part) || isName(others[at]))) return false;
  const at = parts.findIndex((part, i) => isName(part) !== isName(others[i]));
  return at !== -1 && isName(others[at]);
}

/** The template that the router would choose for a URL path. */
function placeAt(address: string): Place | null {
  const mine = address.split('/');
  const fits = ({ parts }: Place): boolean =>
    parts.every((part, at) => part === mine[at] || part.startsWith('{'));
  let match: Place | null = null;
  for (const place of placesLike(mine)) {
    if (fits(place) && (match === null || comesFirst(place, match))) match = place;
  }
  return match;
}

/** The decoded path; the router has refused paths that cannot be decoded. */
function addressOf(url: string): string {
  return decodeURI(url.split('?', 1)[0] ?? '/');
}

function refuse(reply: FastifyReply, served: ReadonlySet<string>): FastifyReply {
  return reply
    .code(405)
    .header('Allow', [...served].join(', '))
    .send({ detail: 'Method Not Allowed' });
}

function placesOfRoutes(): ReadonlyMap<number, readonly Place[]> {
  const byPath = new Map<string, { readonly parts: readonly string[]; readonly served: Set<string> }>();
  for (const { path, method } of Object.values(ROUTES)) {
    const place = byPath.get(path) ?? { parts: path.split('/'), served: new Set() };
    byPath.set(path, place);
    place.served.add(method);
    if (method === 'GET') place.served.add('HEAD');
  }
  // The only templates that cover others.
  const named = [...byPath.values()].filter(({ parts }) => parts.includes('{name}'));
  const bySegments = new Map<number, Place[]>();
  for (const [path, place] of byPath) {
    const { parts, served } = place;
    // `/v1/x/reload` also matches `/v1/x/{name}`, and users choose names, so it has that template's methods too. Ids
    // never equal literal segments.
    const wider = named.filter((other) => other !== place && covers(other.parts, parts));
    const all = new Set([...served, ...wider.flatMap((other) => [...other.served])]);
    const like = bySegments.get(parts.length) ?? [];
    like.push({ path, parts, served: all });
    bySegments.set(parts.length, like);
  }
  return bySegments;
}

/** Whether every URL path that matches the second template also matches the first. */
function covers(wider: readonly string[], parts: readonly string[]): boolean {
  return wider.length === parts.length && wider.every((part, at) => part === parts[at] || part === '{name}');
}
