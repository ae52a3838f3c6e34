/** Starts the Python language server of a notebook on demand, restarts it when it ended, and stops it when idle. */

import { readFile } from 'node:fs/promises';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { FoundTools, LanguageTools } from '../tools/resolveTools.ts';
import { RunningServer, type StartProgram } from './running.ts';

/** The input for starting a server: a change of the interpreter or its packages needs a new one. */
export interface ServerInput {
  readonly python: string;
  /** Identifies the packages that it reads. */
  readonly key: string;
  /** Digests of local modules by their path in the folder: a running server is notified of changes. */
  readonly modules: ReadonlyMap<string, string>;
}

interface SupervisorOptions {
  readonly dir: NotebookFolder;
  readonly tools: (python: string) => Promise<FoundTools>;
  readonly start: StartProgram;
  /** A line for the log only. */
  readonly log: (words: string) => void;
  readonly idleMs?: number;
  readonly maxBytes?: number;
}

type Available =
  | { readonly kind: 'server'; readonly server: RunningServer }
  | { readonly kind: 'unavailable'; readonly words: string };

/** A server without a request for this long is stopped; the next request starts another. */
const IDLE_MS = 10 * 60_000;
/**
 * The memory above which a server is ended. It takes 0.2 GB with pandas; one that needs far more than that is faulty.
 */
const MAX_BYTES = 1536 * 1024 * 1024;
/** After this many unexpected ends within the window, it is not restarted until the window is over. */
const MAX_ENDS = 3;
const ENDS_WITHIN_MS = 5 * 60_000;
const LOOK_EVERY = 200;

/**
 * Runs at most one language server for a notebook: started with the first request, replaced when it has
 * ended.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #current: { readonly server: RunningServer; readonly key: string } | null = null;
  #starting: { readonly key: string; readonly started: Promise<Available> } | null = null;
  /** Servers that were started and do not answer yet. */
  readonly #pending = new Set<RunningServer>();
  #ends: number[] = [];
  #idle: NodeJS.Timeout | null = null;
  #asked = 0;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The server for this input, started if there is none. Never rejects. */
  async server(input: ServerInput): Promise<Available> {
    const available = await this.#serverFor(input);
    if (available.kind === 'server') available.server.follow(input.modules);
    return available;
  }

  async #serverFor(input: ServerInput): Promise<Available> {
    if (this.#isClosed) return unavailable('The notebook is closed.');
    const key = `${input.python}\0${input.key}`;
    this.#wait();
    const current = this.#current;
    if (current !== null && current.key === key) {
      this.#asked += 1;
      if (this.#asked % LOOK_EVERY === 0) void this.#checkMemory(current.server);
      return { kind: 'server', server: current.server };
    }
    if (this.#starting?.key !== key) {
      const started = this.#start(input.python, key).finally(() => {
        if (this.#starting?.started === started) this.#starting = null;
      });
      this.#starting = { key, started };
    }
    return this.#starting.started;
  }

  /** The process of the server; null while there is none. */
  get pid(): number | null {
    return this.#current?.server.client.pid ?? null;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#stop('the notebook was closed');
    for (const { client } of this.#pending) client.end('the notebook was closed');
  }

  async #start(python: string, key: string): Promise<Available> {
    this.#stop('its environment changed');
    const tools = await this.#options.tools(python);
    if (tools.kind === 'missing') return unavailable(tools.message);
    for (;;) {
      if (this.#isClosed) return unavailable('The notebook is closed.');
      if (this.#starting?.key !== key) return unavailable('The Python environment has changed.');
      this.#ends = this.#ends.filter((at) => at > performance.now() - ENDS_WITHIN_MS);
      if (this.#ends.length >= MAX_ENDS) {
        return unavailable(
          'The Python language server ended several times. It is started again in a few minutes.',
        );
      }
      const server = await this.#begin(python, tools, key);
      if (server !== null) return { kind: 'server', server };
    }
  }

  async #begin(python: string, tools: LanguageTools, key: string): Promise<RunningServer | null> {
    const { dir, start, log } = this.#options;
    let isStarting = true;
    const server: RunningServer = new RunningServer({ dir, python, tools }, start, (why) => {
      if ((this.#current?.server !== server && !isStarting) || this.#isClosed) return;
      if (this.#current?.server === server) this.#current = null;
      this.#ends.push(performance.now());
      log(`the Python language server ended: ${why}`);
    });
    this.#pending.add(server);
    try {
      await server.ready;
    } catch {
      // Its end is logged.
      server.client.end('it did not start');
      return null;
    } finally {
      isStarting = false;
      this.#pending.delete(server);
    }
    if (this.#isClosed || server.client.isGone || this.#starting?.key !== key) {
      server.client.end('it is no longer needed');
      return null;
    }
    this.#current = { server, key };
    return server;
  }

  #stop(why: string): void {
    const before = this.#current;
    this.#current = null;
    before?.server.client.end(why);
  }

  #wait(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#stop('it was not used for a while'), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  /** Only Linux reports the memory of a process without running another program. */
  async #checkMemory({ client }: RunningServer): Promise<void> {
    const text = await readFile(`/proc/${client.pid ?? 0}/status`, 'latin1').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    if (kilobytes * 1024 > (this.#options.maxBytes ?? MAX_BYTES)) client.end('it took too much memory');
  }
}

function unavailable(words: string): Available {
  return { kind: 'unavailable', words };
}
