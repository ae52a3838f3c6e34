import { spawn } from 'node:child_process';
import type { ServerLink, StartLink } from './serverLink.ts';
import type { LinkOptions } from './utilityLink.ts';

/**
 * Starts the server of the desktop app on the given Node, outside the app: for development, and for tests with an
 * Electron too old to run it.
 */
export function childLinks(node: string, options: LinkOptions): StartLink {
  return (): ServerLink => {
    const { entry, cwd, env, onOutput } = options;
    const child = spawn(node, [entry], { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    return {
      get pid() {
        return child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null;
      },
      send(message) {
        // A channel that closed meanwhile is reported by `exit`.
        if (child.connected) child.send(message, () => {});
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit(listener) {
        let reported = false;
        const tell = (code: number | null): void => {
          if (!reported) listener(code);
          reported = true;
        };
        child.once('exit', tell);
        child.once('error', (error) => {
          onOutput(Buffer.from(`${error.message}\n`));
          tell(null);
        });
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}
