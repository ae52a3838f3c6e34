/** Starts and ends the helper processes that the desktop app's server asks for, such as those that run SQL. */

import type { ServerToShell, ShellToServer } from '../../src-shared/shell/handshake.ts';

/** One helper process of the server. */
interface HelperLink {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, for any kind of end. */
  onExit(listener: () => void): void;
  /** Ends it immediately, whatever it is doing. */
  kill(): void;
}

export type StartHelper = () => HelperLink;

type HelperRequest = Extract<ServerToShell, { type: 'helper_start' | 'helper_say' | 'helper_end' }>;

/** The helper processes of one server: they end with it. */
interface Helpers {
  heard(request: HelperRequest): void;
  endAll(): void;
}

/** @param start null: this app starts none, and reports that to the server */
export function createHelpers(start: StartHelper | null, tell: (message: ShellToServer) => void): Helpers {
  const running = new Map<number, HelperLink>();

  function begin(id: number): void {
    if (running.has(id)) return;
    if (start === null) {
      tell({ type: 'helper_gone', id });
      return;
    }
    const link = start();
    running.set(id, link);
    link.onMessage((message) => {
      if (running.get(id) === link) tell({ type: 'helper_said', id, message });
    });
    link.onExit(() => {
      if (running.get(id) !== link) return;
      running.delete(id);
      tell({ type: 'helper_gone', id });
    });
  }

  return {
    heard(request) {
      if (request.type === 'helper_start') begin(request.id);
      else if (request.type === 'helper_say') running.get(request.id)?.send(request.message);
      else running.get(request.id)?.kill();
    },
    endAll() {
      for (const link of running.values()) link.kill();
    },
  };
}
