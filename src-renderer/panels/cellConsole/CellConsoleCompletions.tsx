/** The list of completions above the prompt of a console inside a cell. */

import { useEffect, useRef } from 'react';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';

/** The element id of a completion, for `aria-activedescendant` of the prompt. */
export function nameId(cellId: string, at: number): string {
  return `cell-console-name-${cellId}-${at}`;
}

/** The completions, shown above the prompt, which handles their keys. */
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
      id={`cell-console-names-${cellId}`}
      className="cell-console-names"
      role="listbox"
      tabIndex={-1}
      aria-label={CELL_CONSOLE_WORDS.names}
    >
      {names.map((name, at) => (
        <div
          key={name}
          id={nameId(cellId, at)}
          className="cell-console-choice"
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          // Keeps the focus in the prompt.
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
