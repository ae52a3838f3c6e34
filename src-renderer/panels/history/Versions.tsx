import { useEffect, useRef } from 'react';
import type { CellVersionView } from '../../../src-shared/wire/routes/history.ts';
import { agoText } from '../../ui/ago.ts';
import { useNow } from '../../ui/useNow.ts';
import { HISTORY_WORDS } from '../../words/history.ts';

/** List in the history dialog: the earlier versions of a cell, newest first, each with its age. */
export function Versions(props: {
  versions: readonly CellVersionView[];
  chosen: string;
  onChoose: (version: string) => void;
}) {
  const { versions, chosen, onChoose } = props;
  const now = useNow(true, 60_000);
  const list = useRef<HTMLUListElement>(null);
  // The versions arrive after the dialog has opened; until then only its close button could have the focus.
  useEffect(() => {
    const { activeElement } = document;
    const isOn = activeElement === null || activeElement.closest('.dialog-close') !== null;
    if (isOn) list.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, []);
  return (
    <ul ref={list} className="history-versions" aria-label={HISTORY_WORDS.versions}>
      {versions.map((one) => (
        <li key={one.version}>
          <button
            type="button"
            className="history-version"
            aria-pressed={one.version === chosen}
            title={new Date(one.at).toLocaleString()}
            onClick={() => onChoose(one.version)}
          >
            {agoText(Date.parse(one.at), now)}
            <small>{factsOf(one)}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ why, author, lines, current }: CellVersionView): string {
  const facts = [HISTORY_WORDS.why[why]];
  const more = [
    ...(author === null ? [] : [HISTORY_WORDS.by(author)]),
    HISTORY_WORDS.lines(lines),
    ...(current ? [HISTORY_WORDS.current] : []),
  ];
  return [...facts, ...more].join(' · ');
}
