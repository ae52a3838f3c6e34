/** Starts the server of the desktop app as a utility process of Electron, and exchanges messages with it. */

import type { Readable } from 'node:stream';
import type { ForkOptions, UtilityProcess } from 'electron';
import type { StartHelper } from './helpers.ts';
import type { StartLink } from './serverLink.ts';

/** The used part of Electron's `utilityProcess`; only available once the app is ready. */
interface UtilityForker {
  fork(entry: string, args: string[], options: ForkOptions): UtilityProcess;
}

export interface LinkOptions {
  readonly entry: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The server's output. */
  readonly onOutput: (text: Buffer) => void;
}

/** A server inside Electron's own utility process: needs no other Node, and ends with the app. */
export function utilityLinks(forker: UtilityForker, options: LinkOptions): StartLink {
  return () => {
    const { entry, cwd, env, onOutput } = options;
    const child = forker.fork(entry, [], { stdio: 'pipe', serviceName: 'cellar-server', cwd, env });
    for (const stream of [child.stdout, child.stderr] as readonly (Readable | null)[]) {
      stream?.on('data', onOutput);
    }
    return {
      get pid() {
        return child.pid ?? null;
      },
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', (code) => listener(code)),
      kill: () => void child.kill(),
    };
  };
}

/** The argument that makes the server's first file a helper process. */
const HELPER = '--sql';

/** Helper processes, each a separate utility process from the same files. */
export function utilityHelpers(forker: UtilityForker, options: LinkOptions): StartHelper {
  return () => {
    const { entry, cwd, env, onOutput } = options;
    const child = forker.fork(entry, [HELPER], { stdio: 'pipe', serviceName: 'cellar-sql', cwd, env });
    for (const stream of [child.stdout, child.stderr] as readonly (Readable | null)[]) {
      stream?.on('data', onOutput);
    }
    let isWanted = true;
    const end = (): void => {
      // Electron's own `kill` sends a signal that a process inside a long query does not handle.
      if (child.pid === undefined) child.kill();
      else killNow(child.pid);
    };
    child.once('spawn', () => {
      if (!isWanted) end();
    });
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', () => listener()),
      kill: () => {
        isWanted = false;
        end();
      },
    };
  };
}

/** Ends a process at once; does nothing if it has already ended. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
