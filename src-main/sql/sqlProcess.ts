import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * The SQL process: a SQL thread in a process that can be killed while the thread is deep in a database. It hands
 * messages on, and goes when its server does, whatever the thread is at.
 */

const bundled = new URL('./sqlWorker.js', import.meta.url);
const program = existsSync(bundled) ? bundled : new URL('./sqlWorker.ts', import.meta.url);
const worker = new Worker(program, { name: 'sql', execArgv: [] });

/** Electron gives a utility process this in the place of Node's own line. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}
const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };

worker.on('exit', end);
if (parentPort) {
  // Electron ends it with the app, the app with its server.
  worker.on('message', (message) => parentPort.postMessage(message));
  parentPort.on('message', ({ data }) => worker.postMessage(data));
} else {
  worker.on('message', (message) => process.send?.(message));
  process.on('message', (message) => worker.postMessage(message));
  process.on('disconnect', end);
}
// Asked to end by whoever started the server: the server decides.
process.on('SIGINT', () => undefined);

/** Not `process.exit`, which would wait for the thread. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
