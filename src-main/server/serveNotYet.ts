import type { FastifyInstance } from 'fastify';
import { NOT_YET, notYet } from '../../src-shared/wire/notYet.ts';

/** Names hold slashes (core-services 4). */
const REGISTERED = '/v1/names/{name}';

/** What the documents have and this version does not says so, with the status of what is not there. */
export function serveNotYet(http: FastifyInstance): void {
  for (const [what, routes] of Object.entries(NOT_YET)) {
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      http.route({
        method,
        url: path === REGISTERED ? '/v1/names/*' : path.replace(/\{(\w+)\}/g, ':$1'),
        handler: (_request, reply) => reply.code(404).send({ detail: notYet(what) }),
      });
    }
  }
}
