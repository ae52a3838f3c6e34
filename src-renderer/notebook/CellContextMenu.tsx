import type { ReactElement } from 'react';
import { ContextMenu } from '../ui/Menu.tsx';
import { COMMAND_WORDS } from '../words/commands.ts';
import { commandMenu } from './commandMenu.ts';
import { useSession } from './context.ts';

/** The commands of a cell under the right mouse button; the cell pressed on is the one they are about. */
export function CellContextMenu({ children }: { children: ReactElement }) {
  const session = useSession();
  return (
    <ContextMenu label={COMMAND_WORDS.cellMenu} items={() => commandMenu(session, 'cell')}>
      {children}
    </ContextMenu>
  );
}
