/**
 * The colours of the terminal and of its search matches, read from the page's CSS variables in the form that
 * xterm.js needs.
 */

import type { ISearchDecorationOptions } from '@xterm/addon-search';
import type { ITheme } from '@xterm/xterm';

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type AnsiName = (typeof ANSI)[number];

/** The colours of the page and of console output. */
export function terminalTheme(page: Element): ITheme {
  const styles = getComputedStyle(page);
  const color = (token: string): string => styles.getPropertyValue(token).trim();
  const theme: Record<string, string> = {
    background: color('--panel'),
    foreground: color('--ink'),
    cursor: color('--ink'),
    cursorAccent: color('--panel'),
    selectionBackground: color('--select'),
  };
  for (const name of ANSI) {
    theme[name] = color(`--ansi-${name}`);
    theme[brightOf(name)] = color(`--ansi-${name}`);
  }
  theme['brightBlack'] = color('--ink-3');
  return theme;
}

function brightOf(name: AnsiName): string {
  return `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The colours of matches, the same as for find in the notebook; they must have the form #RRGGBB. */
export function matchColors(page: Element): ISearchDecorationOptions {
  const styles = getComputedStyle(page);
  const color = (token: string): string => styles.getPropertyValue(token).trim();
  return {
    matchBackground: color('--find'),
    matchOverviewRuler: color('--find'),
    activeMatchBackground: color('--find-present'),
    activeMatchColorOverviewRuler: color('--find-present'),
  };
}
