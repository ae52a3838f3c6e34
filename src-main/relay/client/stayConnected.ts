/** Keeps a worker connected to its relay: reconnects with growing delays until the worker ends. */

import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../observe/log.ts';
import { reconnectDelayMs } from '../backoff.ts';
import { type DialOptions, type DialResult, dialRelay } from './dialRelay.ts';
import { serveRelay } from './workerSocket.ts';

interface StayConnectedOptions extends DialOptions {
  /** The worker's app, as a server that need not listen. */
  readonly server: Server;
  readonly log: Logger;
  /** Tests pass their own randomness, attempts and time. */
  readonly random?: () => number;
  readonly dial?: (options: DialOptions) => Promise<DialResult>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Keeps a worker connected to its relay until `signal` aborts and its open requests are answered (returns
 * null) or the relay refuses it for good (returns the reason). After every other end of a connection it
 * reconnects, with growing delays.
 */
export async function stayConnected(options: StayConnectedOptions): Promise<string | null> {
  const { url, token, server, signal, log, random = Math.random, dial = dialRelay, sleep = pause } = options;
  let failures = 0;
  while (!signal.aborted) {
    const dialled = await dial({ url, token, signal });
    if (dialled.kind === 'refused') return dialled.reason;
    let reason: string;
    if (dialled.kind === 'connected') {
      failures = 0;
      log.info({ relay: originOf(url) }, 'connected to the relay');
      const { socket, reportsReads } = dialled;
      reason = await serveRelay({ socket, server, reportsReads, log, leaving: signal });
    } else reason = dialled.reason;
    if (signal.aborted) return null;
    failures += 1;
    const delayMs = reconnectDelayMs(failures, random);
    log.warn({ reason, retry_in_ms: Math.round(delayMs) }, 'not connected to the relay');
    await sleep(delayMs, signal);
  }
  return null;
}

/** The URL of a relay without path and query, which may identify the worker. */
function originOf(url: string): string {
  return new URL(url).origin === 'null' ? new URL(url).host : new URL(url).origin;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
