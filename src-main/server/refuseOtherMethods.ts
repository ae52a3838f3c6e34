import type { FastifyInstance, FastifyReply } from 'fastify';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { fastifyPath } from './fastifyPath.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** Path templates and the methods they are served by. */
type Ways = ReadonlyMap<string, ReadonlySet<Method>>;

/** An address that is there is not unknown because it was asked for in another way: 405 names the ways there are. */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const ways = waysOfRoutes();
  for (const [path, served] of ways) {
    fastify.route({
      method: METHODS.filter((method) => !served.has(method)),
      url: fastifyPath(path),
      handler: (_request, reply) => refuse(reply, served),
    });
  }
  // Nothing is served by these (preflights are answered before any route is looked for): one route for all addresses
  // instead of two for each, which a server that starts would have to make.
  fastify.route({
    method: ['OPTIONS', 'TRACE'],
    url: '*',
    handler: (request, reply) => {
      const served = waysTo(ways, request.url.split('?', 1)[0] ?? '/');
      return served === null ? reply.callNotFound() : refuse(reply, served);
    },
  });
}

function refuse(reply: FastifyReply, served: ReadonlySet<Method>): FastifyReply {
  return reply
    .code(405)
    .header('Allow', [...served].join(', '))
    .send({ detail: 'Method Not Allowed' });
}

function waysOfRoutes(): Ways {
  const known = new Map<string, Set<Method>>();
  for (const { path, method } of Object.values(ROUTES)) {
    const methods = known.get(path) ?? new Set<Method>();
    known.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  return new Map(
    [...known].map(([path, methods]) => {
      const served = new Set(methods);
      // `/v1/x/reload` is one of `/v1/x/{name}`, too, and people choose names: its other ways are that address's. Ids
      // are never such words.
      for (const [wider, more] of known) {
        if (wider !== path && covers(wider, path)) for (const method of more) served.add(method);
      }
      return [path, served];
    }),
  );
}

/** Whether every address of one template is one of another. */
function covers(wider: string, path: string): boolean {
  const [parts, mine] = [wider.split('/'), path.split('/')];
  return parts.length === mine.length && parts.every((part, at) => part === '{name}' || part === mine[at]);
}

/** The ways to an address: of the templates that fit it, the one that says most of it. */
function waysTo(ways: Ways, address: string): ReadonlySet<Method> | null {
  const mine = address.split('/');
  let [found, said]: [ReadonlySet<Method> | null, number] = [null, -1];
  for (const [path, served] of ways) {
    const parts = path.split('/');
    const fits = (part: string, at: number): boolean =>
      part.startsWith('{') ? mine[at] !== '' : part === mine[at];
    if (parts.length !== mine.length || !parts.every(fits)) continue;
    const words = parts.filter((part) => !part.startsWith('{')).length;
    if (words > said) [found, said] = [served, words];
  }
  return found;
}
