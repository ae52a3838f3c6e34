import { Ellipsis } from 'lucide-react';
import { commandMenu } from '../../notebook/commandMenu.ts';
import { useSession } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { COMMAND_WORDS as W } from '../../words/commands.ts';

/** The menu of the notebook, built from the commands that have a place in it. */
export function NotebookMenu() {
  const session = useSession();
  return (
    <Menu
      label={W.notebookMenu}
      items={() => commandMenu(session, 'notebook')}
      trigger={
        <IconButton label={W.notebookMenu}>
          <Ellipsis />
        </IconButton>
      }
    />
  );
}
