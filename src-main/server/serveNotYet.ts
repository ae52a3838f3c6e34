/** Answers the specification's routes that this version does not implement with a 404 that says so. */

import type { FastifyInstance } from 'fastify';
import { NOT_YET, unsupportedMessage } from '../../src-shared/wire/notYet.ts';

/** Names contain slashes (docs/spec/core-services.md, 4). */
const REGISTERED = '/v1/names/{name}';

/** Routes that the specification has and this version does not implement answer with a 404 that says so. */
export function serveNotYet(http: FastifyInstance): void {
  for (const [what, routes] of Object.entries(NOT_YET)) {
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      http.route({
        method,
        url: path === REGISTERED ? '/v1/names/*' : path.replace(/\{(\w+)\}/g, ':$1'),
        handler: (_request, reply) => reply.code(404).send({ detail: unsupportedMessage(what) }),
      });
    }
  }
}
