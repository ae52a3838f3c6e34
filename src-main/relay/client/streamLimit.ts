/** Limits how many requests of its relay a worker serves at the same time. */

import type { Outgoing } from '../outgoing.ts';
import { isUrgent } from '../urgent.ts';

/** The maximum number of concurrent requests on one connection; four times our relay's own limit. */
export const MAX_STREAMS = 1024;
const RETRY_AFTER_SECONDS = 5;

/**
 * How to handle one more request: serve it, answer 503, or close the connection, because a relay that reads
 * its replies never sends so many.
 */
type Welcome = 'serve' | 'refuse' | 'leave';

/**
 * Limits how many requests a worker serves for its relay at a time: a relay has its own limit, but a worker
 * trusts no relay. Cancels and health checks have as many extra places, so that they reach a busy worker.
 * @param unsent streams whose replies the relay has not read yet
 */
export function welcomeOf(
  request: { readonly method: string; readonly path: string },
  now: { readonly streams: number; readonly unsent: number; readonly maxStreams: number },
): Welcome {
  const { streams, unsent, maxStreams } = now;
  const places = isUrgent(request.method, request.path) ? 2 * maxStreams : maxStreams;
  if (streams < places) return 'serve';
  return unsent < 4 * maxStreams ? 'refuse' : 'leave';
}

/** Answers a request with the 503 of a busy worker (docs/spec/worker-protocol.md, 13); its body is discarded. */
export function answerFull(outgoing: Outgoing, id: number, streams: number): void {
  const body = Buffer.from(JSON.stringify({ detail: `Worker has ${streams} requests under way` }));
  const answer = outgoing.open({
    type: 'response',
    id,
    status: 503,
    headers: [
      ['content-type', 'application/json'],
      ['content-length', String(body.length)],
      ['retry-after', String(RETRY_AFTER_SECONDS)],
    ],
  });
  void answer.write(body);
  answer.end();
}
