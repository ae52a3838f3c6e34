/** Validates JSON with a schema in a separate thread with limits of time and memory. */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { SchemaFault } from './schemaValidator.ts';

/** A value and the schema to validate it with; at most `most` faults are reported. */
export interface SchemaCheck {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly most: number;
}

/** A schema comes from the author of the notebook and may be hostile: a limit for its memory. */
const MAX_MEMORY_MB = 512;

/**
 * Validates a value in a separate thread: a pattern or a union of a schema can take forever, which must
 * neither block the server nor continue after `deadlineMs`. @returns the faults; null if it took too much
 * time or memory @throws the signal's reason once it is aborted
 */
export function checkInThread(
  look: SchemaCheck,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<readonly SchemaFault[] | null> {
  signal.throwIfAborted();
  const worker = new Worker(program(), {
    name: 'schema',
    execArgv: [],
    workerData: look,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const result = Promise.withResolvers<readonly SchemaFault[] | null>();
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => result.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: 'started' | readonly SchemaFault[]) => {
    // The thread's start does not count against the schema.
    if (message === 'started') timer = setTimeout(() => result.resolve(null), deadlineMs);
    else result.resolve(message);
  });
  worker.on('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') result.resolve(null);
    else result.reject(error);
  });
  return result.promise.finally(() => {
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    return worker.terminate().then(() => undefined);
  });
}

/** In a bundle the program is the file next to this one; from source Node runs the TypeScript itself. */
function program(): URL {
  const bundled = new URL('./schemaWorker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./schemaWorker.ts', import.meta.url);
}
