/** Draws a terminal with xterm.js and connects it to its shell on the server. */

import '@xterm/xterm/css/xterm.css';
import type { ISearchOptions } from '@xterm/addon-search';
import type { Terminal as Xterm } from '@xterm/xterm';
import { connectTerminal, type TerminalLink } from '../../live/terminalLink.ts';
import { takeTerminalFocus } from '../../state/terminals.ts';
import { onThemeChange } from '../../theme/theme.ts';
import { IS_MAC } from '../../ui/chord.ts';
import { matchColors, terminalTheme } from './terminalTheme.ts';

export type Phase = 'starting' | 'open' | 'lost';

/** Lines that can be scrolled back. */
const SCROLLBACK = 5_000;

/** The options of a drawn terminal. */
interface Drawing {
  readonly label: string;
  readonly target: { readonly sid: string; readonly id: string };
  readonly isGone: () => boolean;
  readonly onPhase: (phase: Phase) => void;
  readonly onExit: (code: number) => void;
  readonly onChange: () => void;
  /** Called when a URL in the output is clicked. */
  readonly onLink: (address: string) => void;
  /** Called when the search shortcut is pressed. */
  readonly onSearch: () => void;
}

/** A terminal on the page. */
export interface DrawnTerminal {
  /** Selects the next or the previous match; an empty text removes the highlights. */
  readonly find: (text: string, direction: 'next' | 'previous', options: ISearchOptions) => void;
  /**
   * Registers a listener for the number of matches and the index of the selected one.
   * @returns a function that removes it
   */
  readonly onResults: (listener: (results: { index: number; count: number }) => void) => () => void;
  readonly focus: () => void;
  /** Removes it and ends its connection. */
  readonly close: () => void;
}

/** Draws a terminal into a box and connects it. @returns null if the box is gone */
export async function drawTerminal(box: HTMLElement | null, drawing: Drawing): Promise<DrawnTerminal | null> {
  const [{ Terminal }, { FitAddon }, { SearchAddon }, { WebLinksAddon }] = await Promise.all([
    import('@xterm/xterm'),
    import('@xterm/addon-fit'),
    import('@xterm/addon-search'),
    import('@xterm/addon-web-links'),
    document.fonts.ready,
  ]);
  if (box === null || drawing.isGone()) return null;
  const styles = getComputedStyle(box);
  const screen = new Terminal({
    theme: terminalTheme(box),
    fontFamily: styles.fontFamily,
    fontSize: Number.parseFloat(styles.fontSize),
    lineHeight: 1.3,
    scrollback: SCROLLBACK,
    // Keeps the colours that programs choose readable in the light and the dark theme.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    macOptionIsMeta: true,
    // The decorations that mark search matches are a proposed API.
    allowProposedApi: true,
    // Links that a program marks by an escape sequence, whose text may show another URL.
    linkHandler: { activate: (_event, address) => drawing.onLink(address) },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  screen.loadAddon(fit);
  screen.loadAddon(search);
  screen.loadAddon(new WebLinksAddon((_event, address) => drawing.onLink(address)));
  screen.open(box);
  screen.textarea?.setAttribute('aria-label', drawing.label);
  screen.attachCustomKeyEventHandler((event) => {
    if (isSearchKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      if (event.type === 'keydown') drawing.onSearch();
      return false;
    }
    return !isPageKey(event, screen);
  });
  const link = connect(screen, drawing);
  screen.onData((text) => link.send({ type: 'input', text }));
  screen.onResize(({ cols, rows }) => link.send({ type: 'resize', columns: cols, rows }));
  const size = new ResizeObserver(() => {
    // The box has no size while the drawer is closed.
    if (box.clientHeight > 0) fit.fit();
  });
  size.observe(box);
  fit.fit();
  const stopTheme = onThemeChange(() => {
    screen.options.theme = terminalTheme(box);
    screen.options.fontSize = Number.parseFloat(getComputedStyle(box).fontSize);
    fit.fit();
  });
  if (takeTerminalFocus()) screen.focus();
  return {
    find: (text, direction, options) => {
      if (text === '') return search.clearDecorations();
      const all = { ...options, decorations: matchColors(box) };
      if (direction === 'next') search.findNext(text, all);
      else search.findPrevious(text, all);
    },
    onResults: (listener) => {
      const results = search.onDidChangeResults(({ resultIndex, resultCount }) =>
        listener({ index: resultIndex, count: resultCount }),
      );
      return () => {
        results.dispose();
        search.clearDecorations();
      };
    },
    focus: () => screen.focus(),
    close: () => {
      stopTheme();
      size.disconnect();
      link.close();
      screen.dispose();
    },
  };
}

function connect(screen: Xterm, drawing: Drawing): TerminalLink {
  const link = connectTerminal(drawing.target, {
    onOpen: () => {
      screen.reset();
      drawing.onPhase('open');
      link.send({ type: 'resize', columns: screen.cols, rows: screen.rows });
    },
    onMessage: (message) => {
      if (message.type === 'exit') return drawing.onExit(message.exit_code);
      const { text } = message;
      screen.write(text, () => link.send({ type: 'received', characters: text.length }));
    },
    onLost: () => {
      drawing.onPhase('lost');
      drawing.onChange();
    },
    onClosed: drawing.onChange,
  });
  return link;
}

/** Ctrl+Shift+F, on a Mac Command+F. Ctrl+F belongs to the shell. */
function isSearchKey(event: KeyboardEvent): boolean {
  const isHeld = IS_MAC ? event.metaKey && !event.shiftKey : event.ctrlKey && event.shiftKey;
  return isHeld && !event.altKey && event.key.toLowerCase() === 'f';
}

/** Keys that the shell does not receive: copy and paste as in other terminals, and F6 to another region. */
function isPageKey(event: KeyboardEvent, screen: Xterm): boolean {
  if (event.key === 'F6') return true;
  const isClipboard = !IS_MAC && event.ctrlKey && event.shiftKey && !event.altKey;
  if (!isClipboard) return false;
  const key = event.key.toLowerCase();
  if (key === 'c' && event.type === 'keydown' && screen.hasSelection()) {
    event.preventDefault();
    void navigator.clipboard.writeText(screen.getSelection());
  }
  return key === 'c' || key === 'v';
}
