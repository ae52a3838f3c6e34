import type { ShellBridge } from '../../src-shared/shell/bridge.ts';

/** The desktop window around this page; null in a browser. */
export function shellBridge(): ShellBridge | null {
  // The preload puts it there, or nobody does; its shape is the shell's contract.
  return (globalThis as { cellarShell?: ShellBridge }).cellarShell ?? null;
}
