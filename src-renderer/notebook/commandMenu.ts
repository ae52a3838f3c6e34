import type { Command } from '../commands/command.ts';
import { COMMANDS } from '../commands/registry.ts';
import type { NotebookSession } from '../live/notebookSession.ts';
import type { MenuItem } from '../ui/Menu.tsx';
import { contextOf, runCommand } from './commandContext.ts';

/**
 * The menu of a cell or of the notebook, built from the command table: groups separated by lines, and submenus for
 * commands that name one.
 */
export function commandMenu(session: NotebookSession, which: 'cell' | 'notebook'): readonly MenuItem[] {
  const context = contextOf(session);
  const rowOf = (command: Command): MenuItem => ({
    kind: 'item',
    label: command.title,
    keys: command.keys[0],
    danger: command.danger === true,
    disabled: command.when !== undefined && command.when(context) !== true,
    onSelect: () => void runCommand(session, command),
  });
  const menuCommands = COMMANDS.filter((command) => command.menu?.[which] !== undefined);
  const parts = [...new Set(menuCommands.map((command) => command.menu?.[which] ?? 0))].sort((a, b) => a - b);
  const rows: MenuItem[] = [];
  for (const part of parts) {
    if (rows.length > 0) rows.push({ kind: 'separator' });
    const inPart = menuCommands.filter((command) => command.menu?.[which] === part);
    const submenus = new Set<string>();
    for (const command of inPart) {
      const { submenu } = command;
      if (submenu === undefined) rows.push(rowOf(command));
      else if (!submenus.has(submenu)) {
        submenus.add(submenu);
        const items = inPart.filter((one) => one.submenu === submenu).map(rowOf);
        rows.push({ kind: 'submenu', label: submenu, items });
      }
    }
  }
  return rows;
}
