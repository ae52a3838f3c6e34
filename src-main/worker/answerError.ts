import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROTOCOL_HEADERS } from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';

/** Answers what went wrong with a request, in the form of worker-protocol 13. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.destroyed) return;
  reply.headers(PROTOCOL_HEADERS);
  // What was not read of the body is let pass, so that the sender gets to read the answer.
  if (!request.raw.readableEnded) request.raw.resume();
  if (error instanceof WorkerRefusal) {
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    const beside = error.isAdmitted ? { success: false, error: error.message } : {};
    void reply.code(error.status).send({ detail: error.message, ...beside });
    return;
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500 && error instanceof Error) {
    void reply.code(status).send({ detail: error.message });
    return;
  }
  request.log.error({ err: error }, 'an execution could not be served');
  const words = error instanceof Error ? error.message : String(error);
  void reply.code(500).send({ detail: words, success: false, error: words });
}
