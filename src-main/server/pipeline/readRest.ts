import type { IncomingMessage } from 'node:http';

/** How long a client may go on sending what nobody wants. */
const REST_MS = 10_000;

/**
 * Reads and forgets the rest of a body that was refused: a client that is still sending reads its answer only once
 * it is through, and a connection closed meanwhile would lose it. After ten seconds it is closed all the same.
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
