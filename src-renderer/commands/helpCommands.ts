/** Commands that show help: part of the command table (registry.ts). */

import { layoutStore } from '../state/layout.ts';
import type { Command } from './command.ts';

export const HELP_COMMANDS: readonly Command[] = [
  {
    id: 'help.shortcuts',
    title: 'Keyboard shortcuts',
    keys: ['h', '?'],
    mode: 'command',
    group: 'help',
    menu: { notebook: 4 },
    run: () => layoutStore.getState().openOverlay('shortcuts'),
  },
];
