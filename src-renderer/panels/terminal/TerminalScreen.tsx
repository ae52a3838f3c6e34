import { useEffect, useRef, useState } from 'react';
import type { TerminalView } from '../../../src-shared/wire/terminal.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TERMINAL_WORDS } from '../../words/terminal.ts';
import { type DrawnTerminal, drawTerminal, type Phase } from './drawTerminal.ts';
import { LinkDialog } from './LinkDialog.tsx';
import { TerminalSearch } from './TerminalSearch.tsx';

/** One terminal, drawn by xterm.js, which is loaded with the first terminal. */
export function TerminalScreen(props: {
  sid: string;
  terminal: TerminalView;
  /** Called when the terminal ended, was closed, or lost its connection: the list may have changed. */
  onChange: () => void;
  isSearching: boolean;
  onSearching: (isSearching: boolean) => void;
}) {
  const { sid, terminal, onChange, isSearching, onSearching } = props;
  const box = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>('starting');
  const [exitCode, setExitCode] = useState<number | null>(terminal.exit_code);
  const [drawn, setDrawn] = useState<DrawnTerminal | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const changed = useRef({ onChange, onSearching });
  changed.current = { onChange, onSearching };
  const label = TERMINAL_WORDS.screen(terminal.name);
  useEffect(() => {
    let isGone = false;
    let close = (): void => {};
    void drawTerminal(box.current, {
      label,
      target: { sid, id: terminal.id },
      isGone: () => isGone,
      onPhase: setPhase,
      onExit: (code) => {
        setExitCode(code);
        changed.current.onChange();
      },
      onChange: () => changed.current.onChange(),
      onLink: setLink,
      onSearch: () => changed.current.onSearching(true),
    }).then((screen) => {
      if (screen === null) return;
      close = screen.close;
      setDrawn(screen);
    });
    return () => {
      isGone = true;
      setDrawn(null);
      close();
    };
  }, [sid, terminal.id, label]);
  return (
    <div className="shell" data-terminal={terminal.id} data-phase={phase}>
      {phase === 'lost' ? <Notice tone="warn">{TERMINAL_WORDS.lost}</Notice> : null}
      {exitCode === null ? null : <Notice tone="info">{TERMINAL_WORDS.exited(exitCode)}</Notice>}
      {isSearching && drawn !== null ? (
        <TerminalSearch
          screen={drawn}
          onClose={() => {
            onSearching(false);
            drawn.focus();
          }}
        />
      ) : null}
      {link === null ? null : <LinkDialog printedUrl={link} onClose={() => setLink(null)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the terminal inside has the role and takes the keys */}
      <div className="shell-screen" ref={box} onContextMenu={(event) => event.stopPropagation()} />
    </div>
  );
}
