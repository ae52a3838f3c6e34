import type { ShellToServer } from '../../src-shared/shell/handshake.ts';

/** One server process, started and listening to what the shell says. */
export interface ServerLink {
  /** Null once it is gone. */
  readonly pid: number | null;
  send(message: ShellToServer): void;
  onMessage(listener: (data: unknown) => void): void;
  /** Called once, however it ended. */
  onExit(listener: (code: number | null) => void): void;
  /** At once, for a server that does not end when asked. */
  kill(): void;
}

/** How server processes are made: a utility process for users, a Node of one's own for development and tests. */
export type StartLink = () => ServerLink;
