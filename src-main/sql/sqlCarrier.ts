import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isConfined } from './confined.ts';
import type { ConnectSettings } from './driver.ts';
import type { FromThread, ToThread } from './threadMessages.ts';

/** Where a driver runs. SQLite cannot be told to stop amid its work: it runs where it can be ended. */
export type CarrierKind = 'thread' | 'process';

/** What runs the drivers away from the event loop, and carries questions to them. */
export interface SqlCarrier {
  readonly kind: CarrierKind;
  post(message: ToThread): void;
  /** Whether the program must not end for want of other work: somebody waits for an answer. At first it may. */
  hold(isWaitedFor: boolean): void;
  /**
   * Ends it. A process is killed amid whatever it does; a thread must be quiet, for one that is ended amid native
   * work takes the whole program along.
   */
  end(): Promise<void>;
}

export interface CarrierEvents {
  readonly onMessage: (message: FromThread) => void;
  /** It is gone, by itself or ended; called once. */
  readonly onExit: (why: Error) => void;
}

/** Starts processes for a server that can start none itself. */
export interface ProcessHost {
  /** @param events a message of the process; that it has ended, told once */
  start(events: { readonly onMessage: (message: unknown) => void; readonly onGone: () => void }): {
    post(message: unknown): void;
    /** At once, amid whatever it does. */
    kill(): void;
  };
}

/** The packaged desktop app is not usable as Node, so that it can start no process of this kind by itself. */
const HAS_PROCESSES = process.versions['electron'] === undefined;

/** Where a connection's driver runs: one that is idle is given to the next connection that wants the same. */
export interface CarrierPlace {
  readonly kind: CarrierKind;
  /** The folder the process works in; null: whichever. */
  readonly cwd: string | null;
}

/** @param host who starts processes here; null: this program itself, where it can, else a thread has to do */
export function carrierOf(
  settings: Pick<ConnectSettings, 'driver' | 'notebookDir' | 'confined'>,
  host: ProcessHost | null,
): CarrierPlace {
  const { driver, notebookDir } = settings;
  // DuckDB takes a relative path for one of the folder its process works in when it asks whether it may be read.
  if (driver === 'duckdb' && isConfined(settings)) return { kind: 'process', cwd: notebookDir };
  const kind = driver === 'sqlite' && (HAS_PROCESSES || host !== null) ? 'process' : 'thread';
  return { kind, cwd: null };
}

/** The bundle has the programs beside it; from source Node runs the TypeScript itself. */
function programOf(name: 'sqlWorker' | 'sqlProcess'): URL {
  const bundled = new URL(`./${name}.js`, import.meta.url);
  return existsSync(bundled) ? bundled : new URL(`./${name}.ts`, import.meta.url);
}

export function startCarrier(
  { kind, cwd }: CarrierPlace,
  events: CarrierEvents,
  host: ProcessHost | null,
): SqlCarrier {
  if (kind === 'thread') return startThread(events);
  return host === null || cwd !== null ? startProcess(events, cwd) : startHosted(host, events);
}

/** The line to the host keeps the program alive as it is. */
function startHosted(host: ProcessHost, { onMessage, onExit }: CarrierEvents): SqlCarrier {
  const gone = Promise.withResolvers<void>();
  const child = host.start({
    onMessage: (message) => onMessage(message as FromThread), // our own program's
    onGone: () => {
      onExit(new Error('the SQL process ended'));
      gone.resolve();
    },
  });
  return {
    kind: 'process',
    hold: () => undefined,
    post: (message) => child.post(message),
    end: () => {
      child.kill();
      return gone.promise;
    },
  };
}

function startThread({ onMessage, onExit }: CarrierEvents): SqlCarrier {
  const worker = new Worker(programOf('sqlWorker'), { name: 'sql', execArgv: [] });
  let failed: Error | null = null;
  worker.unref();
  worker.on('message', onMessage);
  worker.on('error', (error) => {
    failed = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => onExit(failed ?? new Error(`the SQL thread ended (${code})`)));
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
    // Values cross as they are: bigints, bytes.
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
  const gone = new Promise<void>((resolve) => {
    const over = (why: Error): void => {
      onExit(why);
      resolve();
    };
    child.once('error', over);
    child.once('exit', (code, signal) => over(new Error(`the SQL process ended (${signal ?? code})`)));
  });
  child.on('message', (message) => onMessage(message as FromThread)); // our own program's
  return {
    kind: 'process',
    hold,
    post: (message) => {
      // One that has gone says so by its exit: whoever asked it hears of that.
      if (child.connected) child.send(message, () => undefined);
    },
    end: () => {
      child.kill('SIGKILL');
      return gone;
    },
  };
}
