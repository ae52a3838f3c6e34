/** One WebSocket client of the soak test: sends frames, waits for answers, and records the numbers of all frames. */

import WebSocket from 'ws';
import type { ClientFrameType } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { SessionNumbers } from './numbers.ts';

const ANSWER_MS = 60_000;

/** One socket of the soak test. It stores no frames, because stored frames would count as growth. */
export interface Member {
  send(type: ClientFrameType, payload: Record<string, unknown>): void;
  /** The next frame for which `fits` is true. @param what its description, for the error message */
  next(what: string, fits: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame>;
  close(): Promise<void>;
}

export async function joinAs(
  url: string,
  options: { sid: string; query: string; numbers: SessionNumbers },
): Promise<Member> {
  const { sid, query, numbers } = options;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/notebooks/ws/${sid}${query}`, {
    perMessageDeflate: false,
  });
  const number = numbers.socket();
  const waiting = new Set<(frame: ReceivedFrame) => void>();
  const joined = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const frame: ReceivedFrame & { readonly prev?: number } = JSON.parse(String(data));
    number({ seq: frame.seq, prev: frame.prev ?? null });
    if (frame.type === 'notebook_state') joined.resolve();
    for (const look of [...waiting]) look(frame);
  });
  socket.once('open', () => socket.send(JSON.stringify({ type: 'notebook_sync', payload: {} })));
  socket.once('error', joined.reject);
  const failures = new Set<(error: Error) => void>();
  const closed = new Promise<void>((resolve) =>
    socket.once('close', (code, reason) => {
      for (const fail of failures) fail(new Error(`closed by the server: ${code} ${reason}`));
      resolve();
    }),
  );
  await joined.promise;
  return {
    send: (type, payload) => socket.send(JSON.stringify({ type, payload })),
    next: (what, fits) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          failures.delete(fail);
        };
        const fail = (error: Error): void => {
          end();
          reject(new Error(`no ${what}`, { cause: error }));
        };
        const timer = setTimeout(() => fail(new Error(`not within ${ANSWER_MS} ms`)), ANSWER_MS);
        const look = (frame: ReceivedFrame): void => {
          if (!fits(frame)) return;
          end();
          resolve(frame);
        };
        waiting.add(look);
        failures.add(fail);
        if (socket.readyState !== WebSocket.OPEN) fail(new Error('its socket is closed'));
      }),
    close: () => {
      socket.close(1000);
      return closed;
    },
  };
}
