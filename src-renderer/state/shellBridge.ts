/** Access to the functions of the desktop app (Electron) that the window is in; absent in a browser tab. */

import type { ShellBridge } from '../../src-shared/shell/bridge.ts';

declare global {
  interface Window {
    /** Set by the preload script of the desktop window; absent in a browser tab. */
    readonly cellarShell?: ShellBridge;
  }
}

/** The functions of the desktop window; null in a browser tab. */
export function shellBridge(): ShellBridge | null {
  return window.cellarShell ?? null;
}
