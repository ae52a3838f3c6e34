import { useEffect, useRef } from 'react';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';

/** The element id of a completion, for aria-activedescendant of the focused field. */
export function nameId(cellId: string, at: number): string {
  return `inside-name-${cellId}-${at}`;
}

/** The names that may follow, above the prompt; the keys are the prompt's. */
export function CellConsoleCompletions(props: {
  cellId: string;
  names: readonly string[];
  chosen: number;
  onChoose: (name: string) => void;
}) {
  const { cellId, names, chosen, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div
      ref={list}
      id={`inside-names-${cellId}`}
      className="inside-names"
      role="listbox"
      tabIndex={-1}
      aria-label={CELL_CONSOLE_WORDS.names}
    >
      {names.map((name, at) => (
        <div
          key={name}
          id={nameId(cellId, at)}
          className="inside-choice"
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          // The prompt keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(name);
          }}
        >
          {name}
        </div>
      ))}
    </div>
  );
}
