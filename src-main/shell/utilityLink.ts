import type { Readable } from 'node:stream';
import type { ForkOptions, UtilityProcess } from 'electron';
import type { StartLink } from './serverLink.ts';

/** The part of Electron's `utilityProcess` that is used; only there once the app is ready. */
export interface UtilityForker {
  fork(entry: string, args: string[], options: ForkOptions): UtilityProcess;
}

export interface LinkOptions {
  readonly entry: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the server prints. */
  readonly onOutput: (text: Buffer) => void;
}

/** A server inside Electron's own utility process: needs no other Node, and ends with the app by itself. */
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
