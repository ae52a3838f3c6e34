/** Runs a worker as a process: starts it, and stops it at a signal after its runs have ended. */

import { isIP } from 'node:net';
import { whyNotListening } from '../lib/whyNotListening.ts';
import type { Logger } from '../observe/log.ts';
import type { Tracing } from '../observe/tracing.ts';
import { createWorkerApp, type WorkerApp } from './createWorkerApp.ts';
import type { WorkerSettings } from './settings.ts';

interface ServeWorkerOptions {
  readonly settings: WorkerSettings;
  readonly harnessDir: string;
  readonly log: Logger;
  readonly tracing: Tracing;
  /** The host to listen on; null: all addresses if there is a token, only this machine without one. */
  readonly host: string | null;
  readonly port: number;
  /**
   * Serves the worker through another connection instead of listening, until `leave`.
   * @returns why it cannot, or null
   */
  readonly connect: ((worker: WorkerApp, leave: AbortSignal) => Promise<string | null>) | null;
}

/** How long runs and uploads may continue after the first signal; a second one ends them at once. */
const DRAIN_MS = 20_000;

/** Runs a worker until SIGINT, SIGTERM or SIGHUP. @returns the exit code */
export async function serveWorker(options: ServeWorkerOptions): Promise<number> {
  const { settings, log } = options;
  const worker = await createWorkerApp(options);
  const stop = new AbortController();
  const stopSignal = firstSignal(stop);
  let code = 0;
  if (options.connect !== null) {
    if (settings.token === null)
      log.warn('without SVC_WORKER_TOKEN anyone who reaches the relay can run code here');
    const leave = new AbortController();
    const connection = options.connect(worker, leave.signal);
    const problem = await Promise.race([connection, stopSignal.then(() => null)]);
    if (problem !== null) log.error(problem);
    code = problem === null ? 0 : 1;
    // Running cells may still respond, so the connection stays open until they have.
    log.info('the worker stops');
    await worker.drain(DRAIN_MS);
    leave.abort();
    await connection;
  } else {
    const host = options.host ?? (settings.token === null ? '127.0.0.1' : '0.0.0.0');
    if (settings.token === null && !isLoopback(host)) {
      log.warn(`without SVC_WORKER_TOKEN anyone who reaches ${host} can run code here`);
    }
    const port = await worker.listen({ host, port: options.port }).catch((error: Error) => error);
    if (port instanceof Error) {
      const why = whyNotListening(port, { host, port: options.port }) ?? port.message;
      process.stderr.write(`svc: the worker cannot listen on ${host}:${options.port}: ${why}\n`);
      await worker.close();
      return 1;
    }
    const urlHost = isIP(host) === 6 ? `[${host}]` : host;
    process.stdout.write(`Cellar worker is at http://${urlHost}:${port}\n`);
    await stopSignal;
    log.info('the worker stops');
    await worker.drain(DRAIN_MS);
  }
  await worker.close();
  await options.tracing.close();
  return code;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

function firstSignal(stop: AbortController): Promise<void> {
  return new Promise((done) => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      process.on(signal, () => {
        // The harnesses end when this process exits, because their lifelines close.
        if (stop.signal.aborted) process.exit(code);
        stop.abort();
        done();
      });
    }
  });
}
