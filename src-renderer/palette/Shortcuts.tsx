/** Dialog that lists all commands that have keyboard shortcuts, by topic. */

import './palette.css';
import { useState } from 'react';
import type { Command, CommandGroup } from '../commands/command.ts';
import { COMMANDS } from '../commands/registry.ts';
import { bestOf } from '../state/fuzzy.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { SearchField } from '../ui/Field.tsx';
import { Keys } from '../ui/Keys.tsx';
import { COMMAND_WORDS as W } from '../words/commands.ts';

const WHERE = { command: W.modeCommand, edit: W.modeEdit, any: W.modeAny } as const;

/** All commands of the registry that have keys, by topic. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const withKeys = COMMANDS.filter((command) => command.keys.length > 0);
  const matches = bestOf(withKeys, query, {
    textOf: (command) => `${command.title} ${command.keys.join(' ')}`,
    most: withKeys.length,
  });
  const groups = (Object.keys(W.group) as CommandGroup[]).filter((group) =>
    matches.some((command) => command.group === group),
  );
  return (
    <Dialog open onClose={onClose} title={W.shortcuts} size="l">
      <SearchField label={W.shortcutsSearch} value={query} onChange={setQuery} />
      <p className="shortcut-hint">{W.modeHint}</p>
      {groups.length === 0 ? <p className="pick-empty">{W.shortcutsEmpty}</p> : null}
      <div className="shortcut-lists">
        {groups.map((group) => (
          <section key={group} className="shortcut-group" aria-label={W.group[group]}>
            <h3>{W.group[group]}</h3>
            <dl>
              {withKeys
                .filter((command) => command.group === group && matches.includes(command))
                .map((command) => (
                  <Row key={command.id} command={command} />
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ command }: { command: Command }) {
  return (
    <div className="shortcut-row">
      <dt>{command.title}</dt>
      <dd title={WHERE[command.mode]}>
        {command.keys.map((keys) => (
          <Keys key={keys} chord={keys} />
        ))}
        <span className="visually-hidden">{WHERE[command.mode]}</span>
      </dd>
    </div>
  );
}
