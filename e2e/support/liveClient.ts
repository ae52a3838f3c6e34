/** A client of the live protocol (WebSocket) for tests, which stores every frame that it receives. */

import WebSocket from 'ws';
import type { ClientFrameType } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame, ServerFrameType } from '../../src-shared/wire/frames/server.ts';

type FrameOf<T extends ServerFrameType> = Extract<ReceivedFrame, { type: T }>;

/** The client stores every frame, so that a test can also wait for a frame that has already arrived. */
export interface LiveClient {
  readonly frames: readonly ReceivedFrame[];
  send(type: ClientFrameType, payload: Record<string, unknown>): void;
  /** The first matching frame from `since` (an index into `frames`) on; fails after `timeoutMs`. */
  next<T extends ServerFrameType>(
    type: T,
    options?: {
      readonly where?: (payload: FrameOf<T>['payload']) => boolean;
      readonly since?: number;
      readonly timeoutMs?: number;
    },
  ): Promise<FrameOf<T>>;
  mark(): number;
  close(): Promise<{ readonly code: number; readonly reason: string }>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export async function connectLive(url: string, sessionId: string, query = ''): Promise<LiveClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/notebooks/ws/${sessionId}${query}`, {
    perMessageDeflate: false,
  });
  const frames: ReceivedFrame[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const check of [...waiting]) check();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(`upgrade refused: ${response.statusCode}`)),
    );
  });
  return {
    frames,
    closed,
    mark: () => frames.length,
    send: (type, payload) => socket.send(JSON.stringify({ type, payload })),
    next<T extends ServerFrameType>(type: T, options: Parameters<LiveClient['next']>[1] = {}) {
      const { since = 0, timeoutMs = 60_000 } = options;
      const where = options.where as ((payload: FrameOf<T>['payload']) => boolean) | undefined;
      return new Promise<FrameOf<T>>((resolve, reject) => {
        let at = since;
        const timer = setTimeout(() => {
          waiting.delete(check);
          const frameTypes = frames.slice(since).map((frame) => frame.type);
          reject(new Error(`no ${type} within ${timeoutMs} ms; got ${frameTypes.slice(-20).join(', ')}`));
        }, timeoutMs);
        const check = (): void => {
          for (; at < frames.length; at++) {
            const frame = frames[at];
            if (frame?.type !== type) continue;
            const typedFrame = frame as FrameOf<T>;
            if (where !== undefined && !where(typedFrame.payload as never)) continue;
            clearTimeout(timer);
            waiting.delete(check);
            resolve(typedFrame);
            return;
          }
        };
        waiting.add(check);
        check();
      });
    },
    async close() {
      socket.close(1000);
      return closed;
    },
  };
}
