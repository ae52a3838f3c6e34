/**
 * Requests helper processes for the desktop app's server from the shell, which starts them, and exchanges messages with
 * them.
 */

import type { ServerToShell, ShellToServer } from '../../src-shared/shell/handshake.ts';
import type { ProcessHost } from '../sql/sqlCarrier.ts';

export type HelperMessage = Extract<ShellToServer, { type: 'helper_said' | 'helper_gone' }>;

/** Starts processes through the shell, and takes the shell's messages about them. */
export interface HostedProcesses extends ProcessHost {
  /** Takes a message of the shell about one of the processes. */
  heard(message: HelperMessage): void;
}

/** Creates the server's side. @param send sends a message to the shell */
export function createHostedProcesses(send: (message: ServerToShell) => void): HostedProcesses {
  const running = new Map<number, Parameters<ProcessHost['start']>[0]>();
  let last = 0;
  return {
    start(events) {
      last += 1;
      const id = last;
      running.set(id, events);
      send({ type: 'helper_start', id });
      return {
        post: (message) => send({ type: 'helper_say', id, message }),
        kill: () => send({ type: 'helper_end', id }),
      };
    },
    heard(message) {
      const events = running.get(message.id);
      if (message.type === 'helper_said') events?.onMessage(message.message);
      else {
        running.delete(message.id);
        events?.onGone();
      }
    },
  };
}
