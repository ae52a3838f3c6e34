/** Runs the Python formatter and linter ruff in a thread of its own, for the editor. */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface RuffQuestion {
  readonly id: number;
  readonly kind: 'format' | 'check';
  readonly source: string;
}

export type RuffAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: string };

/** Ruff in a thread of this process, started with the first request. */
export interface Ruff {
  /** @throws RuffRefused if the text cannot be parsed as Python, or the thread takes too long */
  ask(kind: RuffQuestion['kind'], source: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Ruff's own message for a text that it cannot process. */
export class RuffRefused extends Error {}

const DEADLINE_MS = 20_000;
const IDLE_MS = 10 * 60_000;
const MAX_MEMORY_MB = 512;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export function createRuff(): Ruff {
  let worker: Worker | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | null = null;
  const waiting = new Map<number, Waiting>();

  const settle = (id: number): Waiting | undefined => {
    const pendingCall = waiting.get(id);
    waiting.delete(id);
    if (pendingCall !== undefined) clearTimeout(pendingCall.timer);
    return pendingCall;
  };
  const end = async (why: string): Promise<void> => {
    const endedWorker = worker;
    worker = null;
    for (const id of [...waiting.keys()]) settle(id)?.reject(new RuffRefused(why));
    await endedWorker?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(program(), {
      name: 'ruff',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    started.unref();
    started.on('message', (answer: RuffAnswer) => {
      const pendingCall = settle(answer.id);
      if ('problem' in answer) pendingCall?.reject(new RuffRefused(answer.problem));
      else pendingCall?.resolve(answer.result);
    });
    started.on('error', (error) => void (worker === started && end(String(error))));
    started.on('exit', () => void (worker === started && end('the formatter ended')));
    return started;
  };
  return {
    ask(kind, source) {
      worker ??= start();
      lastId += 1;
      const id = lastId;
      if (idle !== null) clearTimeout(idle);
      idle = setTimeout(() => void end('it was not used for a while'), IDLE_MS);
      idle.unref();
      const answered = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => void end('the formatter took too long'), DEADLINE_MS);
      waiting.set(id, { ...answered, timer });
      worker.postMessage({ id, kind, source } satisfies RuffQuestion);
      return answered.promise;
    },
    async close() {
      if (idle !== null) clearTimeout(idle);
      await end('the program ends');
    },
  };
}

/** In the bundle the program is next to this file; from source Node runs the TypeScript. */
function program(): URL {
  const bundled = new URL('./ruffWorker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./ruffWorker.ts', import.meta.url);
}
