/** The command palette: a dialog that lists all commands by name and runs the chosen one. */

import { Command as Pick } from 'cmdk';
import { memo, useCallback, useMemo, useState } from 'react';
import type { Command } from '../commands/command.ts';
import { COMMANDS, commandOf } from '../commands/registry.ts';
import { contextOf, runCommand } from '../notebook/commandContext.ts';
import { useSession } from '../notebook/context.ts';
import { bestOf } from '../state/fuzzy.ts';
import { Keys } from '../ui/Keys.tsx';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import { PickDialog } from './PickDialog.tsx';
import { recentCommands, rememberCommand } from './recentCommands.ts';

/** All commands by name: recently used ones are first; those that cannot run now show the reason. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [query, setQuery] = useState('');
  // Which commands can run is determined once, when the palette opens, because the focus and mode then stay the same.
  const why = useMemo(() => {
    const context = contextOf(session);
    return new Map(COMMANDS.map((command) => [command.id, command.when?.(context) ?? true]));
  }, [session]);
  const recent = useMemo(() => recentCommands().flatMap((id) => commandOf(id) ?? []), []);
  const matches = useMemo(() => {
    const best = bestOf(COMMANDS, query, { textOf: (command) => command.title, most: COMMANDS.length });
    return runnableFirst(best, why);
  }, [query, why]);
  const choose = useCallback(
    (command: Command): void => {
      rememberCommand(command.id);
      onClose();
      runCommand(session, command);
    },
    [session, onClose],
  );
  const row = (command: Command, place: string) => (
    <Row
      key={command.id}
      command={command}
      place={place}
      why={why.get(command.id) ?? true}
      onChoose={choose}
    />
  );
  const groups = Object.keys(W.group) as (keyof typeof W.group)[];
  return (
    <PickDialog
      title={W.palette}
      placeholder={W.palettePlaceholder}
      query={query}
      onQuery={setQuery}
      onClose={onClose}
    >
      {matches.length === 0 ? <Pick.Empty className="pick-empty">{W.paletteEmpty}</Pick.Empty> : null}
      {query.trim() !== '' ? matches.map((command) => row(command, 'found')) : null}
      {query.trim() === '' && recent.length > 0 ? (
        <Pick.Group heading={W.recent}>{recent.map((command) => row(command, 'recent'))}</Pick.Group>
      ) : null}
      {query.trim() === ''
        ? groups.map((group) => (
            <Pick.Group key={group} heading={W.group[group]}>
              {runnableFirst(
                COMMANDS.filter((command) => command.group === group && !recent.includes(command)),
                why,
              ).map((command) => row(command, group))}
            </Pick.Group>
          ))
        : null}
    </PickDialog>
  );
}

/** Sorts commands that can run before those that cannot. */
function runnableFirst(
  commands: readonly Command[],
  why: ReadonlyMap<string, true | string>,
): readonly Command[] {
  return [...commands].sort((a, b) => Number(why.get(b.id) === true) - Number(why.get(a.id) === true));
}

const Row = memo(function Row(props: {
  command: Command;
  place: string;
  why: true | string;
  onChoose: (command: Command) => void;
}) {
  const { command, place, why, onChoose } = props;
  const [keys] = command.keys;
  return (
    <Pick.Item
      className="pick-row"
      value={`${place} ${command.id}`}
      disabled={why !== true}
      data-command={command.id}
      onSelect={() => onChoose(command)}
    >
      <span className="pick-label">{command.title}</span>
      <span className="pick-detail">{why === true ? '' : why}</span>
      {keys === undefined ? null : <Keys chord={keys} quiet />}
    </Pick.Item>
  );
});
