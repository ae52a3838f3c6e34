/** The bridge to the desktop app. */

import type { ShellBridge } from '../../src-shared/shell/bridge.ts';

declare global {
  interface Window {
    /** Put there by the desktop window's preload; a browser tab has none. */
    readonly cellarShell?: ShellBridge;
  }
}

/** What the desktop window offers, or null in a browser tab. */
export function shellBridge(): ShellBridge | null {
  return window.cellarShell ?? null;
}
