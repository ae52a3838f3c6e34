import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { jsonOf } from '../../lib/jsonOf.ts';

/** What R says of a cell's text (analysis-and-graph 1.2). */
export interface RNames {
  /** In source order. */
  readonly defines: readonly string[];
  readonly references: readonly string[];
  /** Environment variables it asks for by a literal name. */
  readonly env: readonly string[];
  /** R could not parse the text. */
  readonly broken: boolean;
}

/** Also of text R cannot parse, where there is no R, and where it takes too long. */
export const NO_R_NAMES: RNames = { defines: [], references: [], env: [], broken: false };

export interface RInstalled {
  readonly version: string;
  readonly platform: string;
}

/** Reads the names of R cells by asking R; remembered by text. */
export interface RNameReader {
  /** What is known of a text by now; undefined: it was never asked. */
  known(source: string): RNames | undefined;
  /** Asks about those that are not known; resolves when all are. Never rejects. */
  learn(sources: readonly string[]): Promise<void>;
  /** What R said of itself; null: not asked yet, or none answered. */
  installed(): RInstalled | null;
  close(): Promise<void>;
}

export interface RNameReaderOptions {
  /** The Rscript to ask; null: there is none. */
  readonly findRscript: () => Promise<string | null>;
  /** `harness/r/harness.R`. */
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: 5 s (analysis-and-graph 1.2). */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** How long an R may take to end by itself. */
const CLOSING_MS = 1_000;
/** An R nobody asks anything is let go. */
const IDLE_MS = 600_000;
/** Characters of source whose names are kept. */
const KEPT_CHARACTERS = 4_000_000;

const hello = z.object({ version: z.string(), platform: z.string() });
const names = z.object({
  defines: z.array(z.string()),
  references: z.array(z.string()),
  env: z.array(z.string()),
  broken: z.boolean().default(false),
});

/**
 * One R stays warm for this. Nothing of a text is evaluated: it is parsed and walked. No R is looked for before the
 * first text.
 */
export function createRNameReader(options: RNameReaderOptions): RNameReader {
  const known = new Map<string, RNames>();
  let characters = 0;
  let process: NameProcess | null = null;
  let installed: RInstalled | null = null;
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();

  async function started(): Promise<NameProcess | null> {
    if (process?.alive) return process;
    const rscript = await options.findRscript();
    if (rscript === null || isClosed) return null;
    process = new NameProcess(rscript, options);
    return process;
  }

  async function ask(source: string): Promise<void> {
    if (known.has(source) || isClosed) return;
    const r = await started();
    // Without an R nothing is remembered: there may be one the next time.
    if (r === null) return;
    const answer = await r.ask(source);
    installed = r.installed ?? installed;
    keep(source, answer);
  }

  function keep(source: string, answer: RNames): void {
    known.set(source, answer);
    characters += source.length;
    for (const oldest of known.keys()) {
      if (characters <= KEPT_CHARACTERS || oldest === source) break;
      known.delete(oldest);
      characters -= oldest.length;
    }
  }

  return {
    known: (source) => known.get(source),
    learn(sources) {
      if (sources.every((source) => known.has(source))) return Promise.resolve();
      turn = turn.then(async () => {
        for (const source of sources) await ask(source);
      });
      return turn;
    },
    installed: () => installed,
    async close() {
      isClosed = true;
      await process?.close();
    },
  };
}

/** The R that parses: one JSON string a line in, one object a line out, in order. */
class NameProcess {
  installed: RInstalled | null = null;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #timeoutMs: number;
  #idle: NodeJS.Timeout | null = null;
  #alive = true;
  #onLine: ((line: string) => void) | null = null;

  constructor(rscript: string, { harness, env, timeoutMs = TIMEOUT_MS }: RNameReaderOptions) {
    this.#timeoutMs = timeoutMs;
    this.#child = spawn(rscript, ['--vanilla', harness, 'names'], {
      cwd: homedir(),
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#child.stdin?.on('error', () => {}); // Its end is told by the process's.
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#alive = false;
        this.#onLine?.('');
        resolve();
      };
      this.#child.once('error', end);
      this.#child.once('exit', end);
    });
    const { stdout } = this.#child;
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#hear(line));
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** One text at a time. An R that does not answer in time is ended; the next text starts another. */
  async ask(source: string): Promise<RNames> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const answer = await new Promise<string>((resolve) => {
      const late = setTimeout(() => this.#child.kill('SIGKILL'), this.#timeoutMs);
      this.#onLine = (line) => {
        clearTimeout(late);
        this.#onLine = null;
        resolve(line);
      };
      if (!this.#alive) this.#onLine('');
      this.#child.stdin?.write(`${asciiJson(source)}\n`);
    });
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    const parsed = names.safeParse(jsonOf(answer));
    return parsed.success ? parsed.data : NO_R_NAMES;
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    // It ends by itself at the end of its input, and takes its temporary files with it.
    this.#child.stdin?.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), CLOSING_MS);
    await this.#ended;
    clearTimeout(late);
  }

  #hear(line: string): void {
    if (this.installed !== null) {
      this.#onLine?.(line);
      return;
    }
    const said = hello.safeParse(jsonOf(line));
    if (said.success) this.installed = said.data;
  }
}

/** Escapes keep the text whole whatever locale R runs in. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
