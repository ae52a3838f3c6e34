import type { Outgoing } from '../outgoing.ts';
import { isUrgent } from '../urgent.ts';

/** Requests under way on one connection; four times what our relay lets through by itself. */
export const MAX_STREAMS = 1024;
const RETRY_AFTER_SECONDS = 5;

/** What becomes of one request more: served, answered 503, or more than a relay that reads its answers can ask for. */
export type Welcome = 'serve' | 'refuse' | 'leave';

/**
 * How many requests a worker serves for its relay at once: a relay counts too, but a worker trusts none to. Cancels and
 * health questions have as many places again, so that they get through to a worker that is full.
 * @param unsent streams whose answers the relay has not read yet
 */
export function welcomeOf(
  asked: { readonly method: string; readonly path: string },
  now: { readonly streams: number; readonly unsent: number; readonly maxStreams: number },
): Welcome {
  const { streams, unsent, maxStreams } = now;
  const places = isUrgent(asked.method, asked.path) ? 2 * maxStreams : maxStreams;
  if (streams < places) return 'serve';
  return unsent < 4 * maxStreams ? 'refuse' : 'leave';
}

/** Answers a request with the 503 of a full worker (worker-protocol 13); its body is for nobody. */
export function answerFull(outgoing: Outgoing, id: number, streams: number): void {
  const body = Buffer.from(JSON.stringify({ detail: `Worker has ${streams} requests under way` }));
  const answer = outgoing.open({
    ...{ type: 'response', id, status: 503 },
    headers: [
      ['content-type', 'application/json'],
      ['content-length', String(body.length)],
      ['retry-after', String(RETRY_AFTER_SECONDS)],
    ],
  });
  void answer.write(body);
  answer.end();
}
