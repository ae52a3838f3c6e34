/** Discards the rest of a request body that was refused, so that the client can read the answer. */

import type { IncomingMessage } from 'node:http';

/** How long a client may continue to send a body that was refused. */
const REST_MS = 10_000;

/**
 * Reads and discards the rest of a refused body: a client that is still sending reads its answer only when it is done,
 * and would lose it if the connection closed earlier. After ten seconds the connection is closed anyway.
 */
export function readRest(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), REST_MS);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop);
  request.once('close', stop);
  request.resume();
}
