/** Makes one attempt to connect a worker to its relay. */

import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import {
  MAX_MESSAGE_BYTES,
  RELAY_FLOW_HEADER,
  RELAY_SUBPROTOCOL,
} from '../../../src-shared/wire/worker/relay.ts';
import { frameMask } from './frameMask.ts';

/** The result of one handshake (docs/spec/relay.md, 1, 2, 5). */
export type DialResult =
  | { readonly kind: 'connected'; readonly socket: WebSocket; readonly reportsReads: boolean }
  /** Another attempt may succeed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The relay refuses this worker for good. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface DialOptions {
  /** The URL of the relay, ws:// or wss://, used unchanged. */
  readonly url: string;
  /** The connect token; null connects without one. */
  readonly token: string | null;
  readonly signal: AbortSignal;
}

const HANDSHAKE_MS = 30_000;
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 429]);
/** Maximum length of a refusal's body in the log. */
const DETAIL_BYTES = 2_048;

/** Connects to the relay. Never rejects: a failure is a result. */
export function dialRelay({ url, token, signal }: DialOptions): Promise<DialResult> {
  return new Promise((resolve) => {
    const mask = frameMask(url);
    const socket = new WebSocket(url, [RELAY_SUBPROTOCOL], {
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        [RELAY_FLOW_HEADER]: '1',
      },
      ...(mask === null ? {} : { generateMask: mask }),
      perMessageDeflate: true,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
    });
    const stop = () => socket.terminate();
    let reportsReads = false;
    let wrongProtocol: string | null = null;
    const settle = (dialled: DialResult) => {
      signal.removeEventListener('abort', stop);
      resolve(dialled);
    };
    signal.addEventListener('abort', stop, { once: true });

    socket.once('upgrade', (response) => {
      const selected = response.headers['sec-websocket-protocol'];
      if (selected !== RELAY_SUBPROTOCOL) {
        wrongProtocol = `the relay does not support ${RELAY_SUBPROTOCOL} (it selected ${selected ?? 'no subprotocol'})`;
      }
      reportsReads = response.headers[RELAY_FLOW_HEADER] === '1';
    });
    socket.once('open', () => {
      // Frames that arrive with the handshake wait until the reader resumes the socket.
      socket.pause();
      settle({ kind: 'connected', socket, reportsReads });
    });
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      const isFinal = status >= 400 && status < 500 && !RETRIED_4XX.has(status);
      void detailOf(response).then((detail) => {
        settle({
          kind: isFinal ? 'refused' : 'failed',
          reason: `the relay answered ${status}${detail === '' ? '' : `: ${detail}`}`,
        });
        socket.terminate();
      });
    });
    // Stays for the lifetime of the socket: a later error is followed by its close.
    socket.on('error', (error) => {
      if (wrongProtocol === null) settle({ kind: 'failed', reason: error.message });
      else settle({ kind: 'refused', reason: wrongProtocol });
    });
  });
}

async function detailOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const bytes of response) {
      text += String(bytes);
      if (text.length > DETAIL_BYTES) break;
    }
  } catch {
    // A refusal with an incomplete body is still a refusal.
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'detail' in body) return String(body.detail);
  } catch {
    // Not JSON: use the text unchanged.
  }
  return text.slice(0, 200).trim();
}
