import type { ShellToServer } from '../../src-shared/shell/handshake.ts';

/** One process of the desktop app's server, which exchanges messages with the app. */
export interface ServerLink {
  /** Null once it has ended. */
  readonly pid: number | null;
  send(message: ShellToServer): void;
  onMessage(listener: (data: unknown) => void): void;
  /** Called once, for any kind of end. */
  onExit(listener: (code: number | null) => void): void;
  /** Kills it immediately, if it does not end when asked. */
  kill(): void;
}

/** Starts a server process: a utility process for users, a separate Node for development and tests. */
export type StartLink = () => ServerLink;
