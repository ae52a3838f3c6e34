import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { fastifyPath } from './fastifyPath.ts';

/** A path template and the methods it is served by. */
interface Place {
  readonly path: string;
  readonly parts: readonly string[];
  readonly served: ReadonlySet<string>;
}

/** Those that routes have; a HEAD finds the route of its GET. */
const ROUTED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Methods nobody here has are told nothing. */
const METHODS: ReadonlySet<string> = new Set([...ROUTED, 'HEAD', 'OPTIONS', 'TRACE']);
/** By how many parts they have. */
const PLACES: ReadonlyMap<number, readonly Place[]> = placesOfRoutes();

/**
 * Answers what no route took. An address that is there is not unknown because it was asked for in another way: 405
 * names the ways there are. Were these routes, they would be three quarters of what a server that starts makes.
 */
export function unroutedAnswer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const place = METHODS.has(request.method) ? placeAt(addressOf(request.url)) : null;
  if (place === null || place.served.has(request.method))
    return reply.code(404).send({ detail: 'Not Found' });
  return refuse(reply, place.served);
}

/**
 * Where an address is told by its words (`/v1/notebooks/sessions/{sid}`), a method it does not have must not find the
 * route of one that has a name there (`/v1/notebooks/{sid}/close`): ids are never such words.
 */
export function keepWordsApart(fastify: FastifyInstance): void {
  for (const place of [...PLACES.values()].flat()) {
    const rivals = placesLike(place.parts).filter((other) => comesFirst(place, other));
    const taken = ROUTED.filter(
      (method) => !place.served.has(method) && rivals.some(({ served }) => served.has(method)),
    );
    if (taken.length === 0) continue;
    fastify.route({
      method: taken,
      url: fastifyPath(place.path),
      handler: (_request, reply) => refuse(reply, place.served),
    });
  }
}

const isName = (part: string | undefined): boolean => part?.startsWith('{') === true;

function placesLike(parts: readonly string[]): readonly Place[] {
  return PLACES.get(parts.length) ?? [];
}

/** Whether some address is at both places, and the router takes it for the first: that has a word where it has a name. */
function comesFirst({ parts }: Place, { parts: others }: Place): boolean {
  if (!parts.every((part, at) => part === others[at] || isName(part) || isName(others[at]))) return false;
  const at = parts.findIndex((part, i) => isName(part) !== isName(others[i]));
  return at !== -1 && isName(others[at]);
}

/** The place an address is at: the one the router would take it for. */
function placeAt(address: string): Place | null {
  const mine = address.split('/');
  const fits = ({ parts }: Place): boolean =>
    parts.every((part, at) => part === mine[at] || part.startsWith('{'));
  let found: Place | null = null;
  for (const place of placesLike(mine)) {
    if (fits(place) && (found === null || comesFirst(place, found))) found = place;
  }
  return found;
}

/** The path as the router reads it; what cannot be read it has refused. */
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
  const known = new Map<string, { readonly parts: readonly string[]; readonly served: Set<string> }>();
  for (const { path, method } of Object.values(ROUTES)) {
    const place = known.get(path) ?? { parts: path.split('/'), served: new Set() };
    known.set(path, place);
    place.served.add(method);
    if (method === 'GET') place.served.add('HEAD');
  }
  const found = new Map<number, Place[]>();
  for (const [path, { parts, served }] of known) {
    // `/v1/x/reload` is one of `/v1/x/{name}`, too, and people choose names: its other ways are that address's. Ids
    // are never such words.
    const wider = [...known].filter(([other, place]) => other !== path && covers(place.parts, parts));
    const all = new Set([...served, ...wider.flatMap(([, place]) => [...place.served])]);
    const like = found.get(parts.length) ?? [];
    like.push({ path, parts, served: all });
    found.set(parts.length, like);
  }
  return found;
}

/** Whether every address of one template is one of another. */
function covers(wider: readonly string[], parts: readonly string[]): boolean {
  return wider.length === parts.length && wider.every((part, at) => part === parts[at] || part === '{name}');
}
