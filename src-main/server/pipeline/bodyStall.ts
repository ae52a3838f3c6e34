import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRaw } from './rawAnswer.ts';
import { requestId } from './requestId.ts';

/** How long a body may stand still on its way. How long it takes as a whole is nobody's business: links are slow. */
export const BODY_STALL_MS = 60_000;

/**
 * A body that stops coming is not waited for: its connection, and what came of it, would stay for ever. The clock stops
 * with the body, so that an answer may take as long as it takes.
 */
export function limitStall(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  stallMs: number,
): void {
  const { headers, socket } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return;
  const stop = (): void => void socket.setTimeout(0);
  request.setTimeout(stallMs, () => {
    // Refused before it was there, it is answered already.
    if (response.headersSent) return void socket.destroy();
    answerRaw(socket, {
      status: '408 Request Timeout',
      requestId: requestId(request),
      detail: 'The request body did not arrive completely.',
    });
  });
  request.once('end', stop);
  request.once('close', stop);
}
