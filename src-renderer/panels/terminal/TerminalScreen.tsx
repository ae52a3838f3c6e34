import '@xterm/xterm/css/xterm.css';
import type { Terminal as Xterm } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import type { TerminalView } from '../../../src-shared/wire/terminal.ts';
import { connectTerminal, type TerminalLink } from '../../live/terminalLink.ts';
import { takeTerminalFocus } from '../../state/terminals.ts';
import { onThemeChange } from '../../theme/theme.ts';
import { IS_MAC } from '../../ui/chord.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TERMINAL_WORDS } from '../../words/terminal.ts';
import { terminalTheme } from './terminalTheme.ts';

type Phase = 'starting' | 'open' | 'lost';

/** Lines above the screen. */
const SCROLLBACK = 5_000;

/** One terminal, drawn by xterm.js, which is loaded with the first one. */
export function TerminalScreen(props: {
  sid: string;
  terminal: TerminalView;
  /** The terminal ended, was closed, or its connection was lost: the list may have changed. */
  onChange: () => void;
}) {
  const { sid, terminal, onChange } = props;
  const box = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>('starting');
  const [exitCode, setExitCode] = useState<number | null>(terminal.exit_code);
  const changed = useRef(onChange);
  changed.current = onChange;
  const label = TERMINAL_WORDS.screen(terminal.name);
  useEffect(() => {
    let isGone = false;
    let close = (): void => {};
    void draw(box.current, {
      label,
      target: { sid, id: terminal.id },
      isGone: () => isGone,
      onPhase: setPhase,
      onExit: (code) => {
        setExitCode(code);
        changed.current();
      },
      onChange: () => changed.current(),
    }).then((end) => {
      if (isGone) end();
      else close = end;
    });
    return () => {
      isGone = true;
      close();
    };
  }, [sid, terminal.id, label]);
  return (
    <div className="shell" data-terminal={terminal.id} data-phase={phase}>
      {phase === 'lost' ? <Notice tone="warn">{TERMINAL_WORDS.lost}</Notice> : null}
      {exitCode === null ? null : <Notice tone="info">{TERMINAL_WORDS.exited(exitCode)}</Notice>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the terminal inside has the role and takes the keys */}
      <div className="shell-screen" ref={box} onContextMenu={(event) => event.stopPropagation()} />
    </div>
  );
}

interface Drawing {
  readonly label: string;
  readonly target: { readonly sid: string; readonly id: string };
  readonly isGone: () => boolean;
  readonly onPhase: (phase: Phase) => void;
  readonly onExit: (code: number) => void;
  readonly onChange: () => void;
}

/** Draws a terminal into a box and connects it. @returns a function that ends both */
async function draw(box: HTMLElement | null, drawing: Drawing): Promise<() => void> {
  const [{ Terminal }, { FitAddon }] = await Promise.all([
    import('@xterm/xterm'),
    import('@xterm/addon-fit'),
    document.fonts.ready,
  ]);
  if (box === null || drawing.isGone()) return () => {};
  const styles = getComputedStyle(box);
  const screen = new Terminal({
    theme: terminalTheme(box),
    fontFamily: styles.fontFamily,
    fontSize: Number.parseFloat(styles.fontSize),
    lineHeight: 1.3,
    scrollback: SCROLLBACK,
    // Colours of programs stay readable on both grounds.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    macOptionIsMeta: true,
  });
  const fit = new FitAddon();
  screen.loadAddon(fit);
  screen.open(box);
  screen.textarea?.setAttribute('aria-label', drawing.label);
  screen.attachCustomKeyEventHandler((event) => !isPageKey(event, screen));
  const link = connect(screen, drawing);
  screen.onData((text) => link.send({ type: 'input', text }));
  screen.onResize(({ cols, rows }) => link.send({ type: 'resize', columns: cols, rows }));
  const size = new ResizeObserver(() => {
    // A closed drawer has no size.
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
  return () => {
    stopTheme();
    size.disconnect();
    link.close();
    screen.dispose();
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

/** Keys the shell does not get: copying and pasting as terminals do it, and going to another region. */
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
