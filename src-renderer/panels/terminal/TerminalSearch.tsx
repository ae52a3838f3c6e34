import { ArrowDown, ArrowUp, CaseSensitive, Regex, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { TERMINAL_WORDS as W } from '../../words/terminal.ts';
import type { DrawnTerminal } from './drawTerminal.ts';

/** Searches the output of a terminal. Enter goes to the match above, Shift+Enter to the one below. */
export function TerminalSearch({ screen, onClose }: { screen: DrawnTerminal; onClose: () => void }) {
  const [text, setText] = useState('');
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [regex, setRegex] = useState(false);
  const [results, setResults] = useState({ index: -1, count: 0 });
  const field = useRef<HTMLInputElement>(null);
  const isWrong = regex && !isRegex(text);
  useEffect(() => screen.onResults(setResults), [screen]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    // Searches upwards, because the newest output is at the end.
    screen.find(isWrong ? '' : text, 'previous', { caseSensitive, regex, incremental: true });
    if (text === '' || isWrong) setResults({ index: -1, count: 0 });
  }, [screen, text, caseSensitive, regex, isWrong]);
  const go = (direction: 'next' | 'previous'): void => {
    if (!isWrong) screen.find(text, direction, { caseSensitive, regex });
  };
  return (
    <search className="terminal-search" aria-label={W.search}>
      <input
        ref={field}
        className="field field-s"
        type="text"
        aria-label={W.searchFor}
        placeholder={W.search}
        aria-invalid={isWrong}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') return onClose();
          if (event.key === 'Enter') go(event.shiftKey ? 'next' : 'previous');
        }}
      />
      <span className="terminal-count" role="status">
        {isWrong ? W.wrongPattern : text === '' ? '' : W.matches(results.index, results.count)}
      </span>
      <IconButton
        label={W.matchCase}
        aria-pressed={caseSensitive}
        onClick={() => setCaseSensitive(!caseSensitive)}
      >
        <CaseSensitive />
      </IconButton>
      <IconButton label={W.regex} aria-pressed={regex} onClick={() => setRegex(!regex)}>
        <Regex />
      </IconButton>
      <IconButton label={W.above} disabled={results.count === 0} onClick={() => go('previous')}>
        <ArrowUp />
      </IconButton>
      <IconButton label={W.below} disabled={results.count === 0} onClick={() => go('next')}>
        <ArrowDown />
      </IconButton>
      <IconButton label={W.closeSearch} onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
