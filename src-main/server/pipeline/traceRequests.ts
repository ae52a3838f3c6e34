/** Records a trace span for each request that the server accepts. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OpenSpan, type Tracing, traceIn } from '../../observe/tracing.ts';

/** Records a span for each accepted request, named by its route: full URLs would contain names of users' notebooks. */
export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      request_id: request.id,
    };
    const parent = traceIn(request.headers);
    spans.set(request, tracing.begin(`${request.method} ${route}`, { kind: 'server', parent, attributes }));
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const attributes = { 'http.response.status_code': statusCode };
    const error = statusCode >= 500 ? { error: `answered ${statusCode}` } : {};
    spans.get(request)?.end({ attributes, ...error });
    done();
  });
}
