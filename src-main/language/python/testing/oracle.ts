/** For tests: a Python process (`oracle.py`) that analyses programs, to compare the analyzer with. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CellNames } from '../names.ts';

export interface Verdict {
  readonly parsed: boolean;
  /** Null if Python parses the source but refuses to compile it. */
  readonly names: CellNames | null;
  /** Digest of the syntax tree. */
  readonly dump: string;
}

/** The names whose earlier value a program read in some run, and those it left with that value. */
interface RunOutcome {
  readonly read: readonly string[];
  readonly left: readonly string[];
}

export interface LibraryFile {
  readonly name: string;
  readonly source: string;
}

export class PythonOracle {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    const script = fileURLToPath(new URL('oracle.py', import.meta.url));
    this.#child = spawn('python3', ['-I', '-X', 'utf8', script], { stdio: 'pipe' });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  judge(sources: readonly string[]): Promise<readonly Verdict[]> {
    return this.#ask({ command: 'judge', sources });
  }

  /** Runs programs of maybeNames.test.ts several times each, and reports their use of earlier cells' values. */
  run(sources: readonly string[], times: number): Promise<readonly RunOutcome[]> {
    return this.#ask({ command: 'run', sources, times });
  }

  unparse(sources: readonly string[]): Promise<readonly (string | null)[]> {
    return this.#ask({ command: 'unparse', sources });
  }

  /** Writes programs in another format; the result is null for a program that could not be reformatted. */
  reformat(
    items: readonly { readonly source: string; readonly seed: number }[],
  ): Promise<readonly (string | null)[]> {
    return this.#ask({ command: 'reformat', items });
  }

  /** Modules of the standard library: every `every`-th from number `from`, up to `limit` bytes each. */
  library(choice: {
    readonly from: number;
    readonly every: number;
    readonly limit: number;
  }): Promise<readonly LibraryFile[]> {
    return this.#ask({ command: 'library', ...choice });
  }

  close(): void {
    this.#child.stdin.end();
  }

  async #ask<T>(request: unknown): Promise<T> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = await this.#answers.next();
    if (answer.done) throw new Error('the Python oracle exited before it answered');
    // oracle.py answers in the declared shape.
    return JSON.parse(answer.value) as T;
  }
}
