/** Reads the names that an R cell defines and references, by asking one warm R process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { tryParseJson } from '../../lib/tryParseJson.ts';

/** The names that R reads in a cell's source (docs/spec/analysis-and-graph.md, 1.2). */
interface RNames {
  /** The names that the source defines, in source order. */
  readonly defines: readonly string[];
  readonly references: readonly string[];
  /** Environment variables that the source reads by a literal name. */
  readonly env: readonly string[];
  /** Whether R could not parse the source. */
  readonly broken: boolean;
}

/** The names of a cell when there is no R, and if R takes too long or answers something else. */
export const NO_R_NAMES: RNames = { defines: [], references: [], env: [], broken: false };

interface RInstalled {
  readonly version: string;
  readonly platform: string;
}

/** Reads the names of R cells by asking R; caches them by source. */
export interface RNameReader {
  /** The cached names of a source; undefined: not learned yet. */
  known(source: string): RNames | undefined;
  /** Asks R about the sources that are not cached; resolves when all have been asked. Never rejects. */
  learn(sources: readonly string[]): Promise<void>;
  /** The R that answered; null: none has yet. */
  installed(): RInstalled | null;
  close(): Promise<void>;
}

interface RNameReaderOptions {
  /** The Rscript to ask; null: there is none. */
  readonly findRscript: () => Promise<string | null>;
  /** The path of `harness/r/harness.R`. */
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long R may take to answer for one source (docs/spec/analysis-and-graph.md, 1.2: 5 s). */
  readonly timeoutMs: number;
}

/** How long R may take to exit before it is killed. */
const CLOSING_MS = 1_000;
/** An R that is idle for this long is closed. */
const IDLE_MS = 600_000;
/** The cache holds the names of at most this many characters of source. */
const CACHED_CHARACTERS = 4_000_000;

const hello = z.object({ version: z.string(), platform: z.string() });
const names = z.object({
  defines: z.array(z.string()),
  references: z.array(z.string()),
  env: z.array(z.string()),
  broken: z.boolean().default(false),
});

/**
 * Keeps one R process warm. Sources are parsed and walked, never evaluated. R is not looked for before the first
 * source.
 */
export function createRNameReader(options: RNameReaderOptions): RNameReader {
  const cache = new Map<string, RNames>();
  let characters = 0;
  let process: NameProcess | null = null;
  let installed: RInstalled | null = null;
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();

  async function runningProcess(): Promise<NameProcess | null> {
    if (process?.alive) return process;
    const rscript = await options.findRscript();
    if (rscript === null || isClosed) return null;
    process = new NameProcess(rscript, options);
    return process;
  }

  async function ask(source: string): Promise<void> {
    if (cache.has(source) || isClosed) return;
    const r = await runningProcess();
    // Without R nothing is cached: it may be installed by the next time.
    if (r === null) return;
    const answer = await r.ask(source);
    installed = r.installed ?? installed;
    store(source, answer);
  }

  function store(source: string, answer: RNames): void {
    cache.set(source, answer);
    characters += source.length;
    for (const oldest of cache.keys()) {
      if (characters <= CACHED_CHARACTERS || oldest === source) break;
      cache.delete(oldest);
      characters -= oldest.length;
    }
  }

  return {
    known: (source) => cache.get(source),
    learn(sources) {
      if (sources.every((source) => cache.has(source))) return Promise.resolve();
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

/** The R process that parses: one JSON string per line in, one object per line out, in order. */
class NameProcess {
  installed: RInstalled | null = null;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #timeoutMs: number;
  #idle: NodeJS.Timeout | null = null;
  #alive = true;
  #onLine: ((line: string) => void) | null = null;

  constructor(rscript: string, { harness, env, timeoutMs }: RNameReaderOptions) {
    this.#timeoutMs = timeoutMs;
    this.#child = spawn(rscript, ['--vanilla', harness, 'names'], {
      cwd: homedir(),
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#child.stdin?.on('error', () => {}); // The exit of the process reports it.
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

  /** One source at a time. If R does not answer in time it is killed; the next source starts another. */
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
    const parsed = names.safeParse(tryParseJson(answer));
    return parsed.success ? parsed.data : NO_R_NAMES;
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    // R exits at the end of its input, and then removes its temporary files.
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
    const greeting = hello.safeParse(tryParseJson(line));
    if (greeting.success) this.installed = greeting.data;
  }
}

/** Escapes everything but ASCII, so that the text does not depend on R's locale. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
