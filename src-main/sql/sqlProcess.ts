/**
 * Entry point of the SQL process, which runs a SQL thread in a process that can be killed while the thread is
 * in native code. It forwards messages, and ends with its server, whatever the thread does.
 */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const bundled = new URL('./sqlWorker.js', import.meta.url);
const program = existsSync(bundled) ? bundled : new URL('./sqlWorker.ts', import.meta.url);
const worker = new Worker(program, { name: 'sql', execArgv: [] });

/** Electron gives a utility process this instead of Node's channel. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}
const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };

worker.on('exit', end);
if (parentPort) {
  // Electron ends the process with the app, and the app ends with its server.
  worker.on('message', (message) => parentPort.postMessage(message));
  parentPort.on('message', ({ data }) => worker.postMessage(data));
} else {
  worker.on('message', (message) => process.send?.(message));
  process.on('message', (message) => worker.postMessage(message));
  process.on('disconnect', end);
}
// Ignores interrupts of the terminal: the server decides when this process ends.
process.on('SIGINT', () => undefined);

/** Ends this process at once; `process.exit` would wait for the thread. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
