/** The table of commands, of which each can have commands of its own. */

import type { Command } from './arguments.ts';

/** A command in a list. It is a command itself (`load`), a group of commands, or both. */
export interface CommandEntry {
  readonly summary: string;
  readonly commands?: CommandTable;
  /** Lazy, so that a command does not load the others. */
  readonly load?: () => Promise<Command>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;
