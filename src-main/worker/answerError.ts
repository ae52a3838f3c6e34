import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROTOCOL_HEADERS } from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';

/** Sends the error response of a worker's route (docs/spec/worker-protocol.md, 13). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.destroyed) return;
  reply.headers(PROTOCOL_HEADERS);
  // Drains the rest of the body, so that the sender reads the response.
  if (!request.raw.readableEnded) request.raw.resume();
  if (error instanceof WorkerRefusal) {
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    const failure = error.isAdmitted ? { success: false, error: error.message } : {};
    void reply.code(error.status).send({ detail: error.message, ...failure });
    return;
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500 && error instanceof Error) {
    void reply.code(status).send({ detail: error.message });
    return;
  }
  request.log.error({ err: error }, 'an execution could not be served');
  const message = error instanceof Error ? error.message : String(error);
  void reply.code(500).send({ detail: message, success: false, error: message });
}
