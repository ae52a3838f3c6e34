/**
 * The routes of a worker that the protocol does not have: consoles of runs, and their results after a lost connection.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_CONTENT_TYPE, REATTACH_HEADER } from '../../src-shared/wire/worker/extensions.ts';
import { BUNDLE_CONTENT_TYPE, PROTOCOL_HEADERS } from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';
import type { RunRegistry } from './runRegistry.ts';

/**
 * The maximum unread text of a client, in characters; one with more is disconnected. The bundle contains the whole
 * console.
 */
const MAX_UNREAD = 4 * 1024 * 1024;
const RUN = '/v1/x/builds/:build_id';

/** Adds these routes (docs/extensions.md, "Routes of a worker"). */
export function serveExtensions(http: FastifyInstance, runs: RunRegistry): void {
  http.get(`${RUN}/console`, (request, reply) => {
    const raw = reply.hijack().raw;
    raw.writeHead(200, { 'content-type': CONSOLE_CONTENT_TYPE });
    raw.flushHeaders();
    const stop = runs.listen(buildIdOf(request), {
      line(line) {
        raw.write(`${JSON.stringify(line)}\n`);
        if (raw.writableLength > MAX_UNREAD) raw.destroy();
      },
      over: () => raw.end(),
    });
    raw.once('close', stop);
  });
  http.get(`${RUN}/bundle`, async (request, reply) => bundle(runs, request, reply));
  http.delete(RUN, async (request) => {
    const build_id = buildIdOf(request);
    return { build_id, forgotten: runs.forget(build_id) };
  });
}

/** Waits for a running run, and responds as its own request would, regardless of where its bundle was to be sent. */
async function bundle(
  runs: RunRegistry,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const run = runs.find(buildIdOf(request));
  if (run === null || !run.isStored) {
    throw new WorkerRefusal(404, 'No result of a run with that id is stored here');
  }
  reply.header(REATTACH_HEADER, '1');
  const end = await run.ended;
  if (end.kind === 'failed') throw end.error;
  return reply
    .headers({
      ...PROTOCOL_HEADERS,
      'content-type': BUNDLE_CONTENT_TYPE,
      'content-length': String(end.bundle.bytes),
    })
    .send(end.bundle.stream());
}

function buildIdOf(request: FastifyRequest): string {
  return (request.params as { build_id: string }).build_id; // declared by the route
}
