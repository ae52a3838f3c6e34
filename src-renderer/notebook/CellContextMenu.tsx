import type { ReactElement } from 'react';
import { ContextMenu } from '../ui/Menu.tsx';
import { COMMAND_WORDS } from '../words/commands.ts';
import { commandMenu } from './commandMenu.ts';
import { useSession } from './context.ts';

/** The context menu of the cells, with the commands for the cell that was clicked. */
export function CellContextMenu({ children }: { children: ReactElement }) {
  const session = useSession();
  return (
    <ContextMenu label={COMMAND_WORDS.cellMenu} items={() => commandMenu(session, 'cell')}>
      {children}
    </ContextMenu>
  );
}
