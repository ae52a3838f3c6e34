/** Starts the thread or process (the carrier) in which a SQL driver runs. */

import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isConfined } from './confined.ts';
import type { ConnectSettings } from './driver.ts';
import type { FromThread, ToThread } from './threadMessages.ts';

/** Where a driver runs. SQLite cannot be interrupted, so it runs in a process that can be killed. */
export type CarrierKind = 'thread' | 'process';

/** Runs drivers outside the event loop, and carries requests to them. */
export interface SqlCarrier {
  readonly kind: CarrierKind;
  post(message: ToThread): void;
  /** Whether it keeps the program alive, because an answer is awaited. At first it does not. */
  hold(isWaitedFor: boolean): void;
  /**
   * Ends it. A process is killed at once; a thread must be idle, because ending one during native work would crash the
   * whole program.
   */
  end(): Promise<void>;
}

interface CarrierEvents {
  readonly onMessage: (message: FromThread) => void;
  /** Called once, when the carrier has ended, by itself or by `end`. */
  readonly onExit: (why: Error) => void;
}

/** Starts processes for a server that cannot start any itself. */
export interface ProcessHost {
  /** @param events a message of the process; its end, called once */
  start(events: { readonly onMessage: (message: unknown) => void; readonly onGone: () => void }): {
    post(message: unknown): void;
    /** Kills it at once. */
    kill(): void;
  };
}

/** The packaged desktop app cannot be used as Node, so it cannot start this kind of process itself. */
const HAS_PROCESSES = process.versions['electron'] === undefined;

/** Where a connection's driver runs; an idle carrier is reused for the next connection with the same place. */
export interface CarrierPlace {
  readonly kind: CarrierKind;
  /** The working directory of the process; null: any. */
  readonly cwd: string | null;
}

/** @param host starts processes here; null: this program itself if it can, else a thread is used */
export function carrierOf(
  settings: Pick<ConnectSettings, 'driver' | 'notebookDir' | 'confined'>,
  host: ProcessHost | null,
): CarrierPlace {
  const { driver, notebookDir } = settings;
  // DuckDB resolves a relative path against the working directory when it checks whether the path is allowed.
  if (driver === 'duckdb' && isConfined(settings)) return { kind: 'process', cwd: notebookDir };
  const kind = driver === 'sqlite' && (HAS_PROCESSES || host !== null) ? 'process' : 'thread';
  return { kind, cwd: null };
}

/** In the bundle the programs are next to this file; from source Node runs the TypeScript. */
function programOf(name: 'sqlWorker' | 'sqlProcess'): URL {
  const bundled = new URL(`./${name}.js`, import.meta.url);
  return existsSync(bundled) ? bundled : new URL(`./${name}.ts`, import.meta.url);
}

/** Starts a thread or process for a connection. */
export function startCarrier(
  { kind, cwd }: CarrierPlace,
  events: CarrierEvents,
  host: ProcessHost | null,
): SqlCarrier {
  if (kind === 'thread') return startThread(events);
  return host === null || cwd !== null ? startProcess(events, cwd) : startHosted(host, events);
}

/** The connection to the host already keeps the program alive. */
function startHosted(host: ProcessHost, { onMessage, onExit }: CarrierEvents): SqlCarrier {
  const exited = Promise.withResolvers<void>();
  const child = host.start({
    onMessage: (message) => onMessage(message as FromThread), // sent by our own program
    onGone: () => {
      onExit(new Error('the SQL process ended'));
      exited.resolve();
    },
  });
  return {
    kind: 'process',
    hold: () => undefined,
    post: (message) => child.post(message),
    end: () => {
      child.kill();
      return exited.promise;
    },
  };
}

function startThread({ onMessage, onExit }: CarrierEvents): SqlCarrier {
  const worker = new Worker(programOf('sqlWorker'), { name: 'sql', execArgv: [] });
  let failure: Error | null = null;
  worker.unref();
  worker.on('message', onMessage);
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => onExit(failure ?? new Error(`the SQL thread ended (${code})`)));
  return {
    kind: 'thread',
    post: (message) => worker.postMessage(message),
    hold: (isWaitedFor) => (isWaitedFor ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
  };
}

function startProcess({ onMessage, onExit }: CarrierEvents, cwd: string | null): SqlCarrier {
  const child = fork(programOf('sqlProcess'), {
    ...(cwd === null ? {} : { cwd }),
    execArgv: [],
    // Keeps bigints and bytes as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    windowsHide: true,
  });
  const hold = (isWaitedFor: boolean): void => {
    for (const handle of [child, child.channel]) {
      if (isWaitedFor) handle?.ref();
      else handle?.unref();
    }
  };
  hold(false);
  const exited = new Promise<void>((resolve) => {
    const end = (why: Error): void => {
      onExit(why);
      resolve();
    };
    child.once('error', end);
    child.once('exit', (code, signal) => end(new Error(`the SQL process ended (${signal ?? code})`)));
  });
  child.on('message', (message) => onMessage(message as FromThread)); // sent by our own program
  return {
    kind: 'process',
    hold,
    post: (message) => {
      // The exit of a process that has ended is reported by `onExit`, also to those who wait for an answer.
      if (child.connected) child.send(message, () => undefined);
    },
    end: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
}
