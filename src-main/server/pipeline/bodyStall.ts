/** Refuses a request whose body stops arriving. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRaw } from './rawAnswer.ts';
import { requestId } from './requestId.ts';

/** How long a request body may make no progress. Its total time is not limited, since links can be slow. */
export const BODY_STALL_MS = 60_000;

/**
 * Refuses a body that stops arriving; otherwise its connection and buffers would stay open without limit. The timer
 * stops when the body is complete, so the answer may take any time.
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
    // Refused before the body was complete: it already has an answer.
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
