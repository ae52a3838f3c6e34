import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { SchemaFault } from './schemaValidator.ts';

/** A value and the schema it is to fit; `most` faults are told. */
export interface SchemaLook {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly most: number;
}

/** A schema is a program of whoever wrote the notebook: what it may use up. */
const MOST_MEMORY_MB = 512;

/**
 * What is wrong with a value, found in a thread of its own: a pattern or a union of a schema can take for ever, and
 * neither holds up the server nor goes on after `deadlineMs`.
 * @returns null where it took too long, or too much memory
 * @throws the signal's reason once it is aborted
 */
export function checkInThread(
  look: SchemaLook,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<readonly SchemaFault[] | null> {
  signal.throwIfAborted();
  const worker = new Worker(program(), {
    name: 'schema',
    execArgv: [],
    workerData: look,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const found = Promise.withResolvers<readonly SchemaFault[] | null>();
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => found.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: 'begun' | readonly SchemaFault[]) => {
    // What the thread needs to begin is not the schema's doing.
    if (message === 'begun') timer = setTimeout(() => found.resolve(null), deadlineMs);
    else found.resolve(message);
  });
  worker.on('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') found.resolve(null);
    else found.reject(error);
  });
  return found.promise.finally(() => {
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    return worker.terminate().then(() => undefined);
  });
}

/** The bundle has the program beside it; from source Node runs the TypeScript itself. */
function program(): URL {
  const bundled = new URL('./schemaWorker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./schemaWorker.ts', import.meta.url);
}
