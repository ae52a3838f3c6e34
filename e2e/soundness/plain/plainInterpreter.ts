/** Starts the plain Python interpreter (plain.py) whose output the soundness tests compare notebooks with. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the plain interpreter printed in one cell, and the simple values of its names afterwards. */
export interface PlainCell {
  readonly stdout: string;
  /** The value that the last line shows, in a list of one; null if there is none or it is not simple. */
  readonly display: readonly [unknown] | null;
  /** The name of the exception's type. */
  readonly error: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface PlainRequest {
  /** The folder that is copied before anything runs. */
  readonly dir: string;
  readonly cells: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the variable to a path below `dir`. */
  readonly mounts?: Readonly<Record<string, string>>;
}

export interface PlainInterpreter {
  /** Runs all cells; the answer is shorter than the notebook if a cell ended the process. */
  run(request: PlainRequest): Promise<readonly PlainCell[]>;
  close(): Promise<void>;
}

type Reply = { readonly ended: true } | { readonly broken: string } | PlainCell;

/** Starts one Python that forks for every request. `preload` names what is imported before the first. */
export function startPlainInterpreter(preload: readonly string[]): PlainInterpreter {
  const program = join(import.meta.dirname, 'plain.py');
  const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
  const child = spawn(python, ['-B', program, ...preload], {
    // A process with threads must not be forked.
    // The test runner sets MODE, which cells of the notebooks read.
    env: { ...process.env, MODE: undefined, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const waiting = new Map<
    string,
    { readonly done: (cells: Reply[]) => void; readonly fail: (error: Error) => void }
  >();
  let requestCount = 0;
  createInterface(child.stdout).on('line', (line) => {
    const { id, cells } = JSON.parse(line) as { id: string; cells: Reply[] };
    waiting.get(id)?.done(cells);
    waiting.delete(id);
  });
  void closed.then(([code]) => {
    for (const { fail } of waiting.values()) fail(new Error(`the plain interpreter ended with ${code}`));
  });
  return {
    async run(request) {
      requestCount += 1;
      const id = String(requestCount);
      const replies = await new Promise<Reply[]>((done, fail) => {
        waiting.set(id, { done, fail });
        child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      });
      const cells: PlainCell[] = [];
      for (const reply of replies) {
        if ('broken' in reply) throw new Error(`the plain interpreter could not run: ${reply.broken}`);
        if ('ended' in reply) break;
        cells.push(reply);
      }
      return cells;
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
