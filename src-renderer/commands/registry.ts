/** The command table: every command of a notebook, for the palette, menus, keys and the page of shortcuts. */

import { ASSISTANT_COMMANDS } from './assistantCommands.ts';
import { CELL_COMMANDS } from './cellCommands.ts';
import type { Command } from './command.ts';
import { EDIT_COMMANDS } from './editCommands.ts';
import { EXPORT_COMMANDS } from './exportCommands.ts';
import { FAULT_COMMANDS } from './faultCommands.ts';
import { FORMAT_COMMANDS } from './formatCommands.ts';
import { HELP_COMMANDS } from './helpCommands.ts';
import { NOTEBOOK_COMMANDS } from './notebookCommands.ts';
import { PACKAGE_COMMANDS } from './packageCommands.ts';
import { RESULT_COMMANDS } from './resultCommands.ts';
import { RUN_COMMANDS } from './runCommands.ts';
import { SETUP_COMMANDS } from './setupCommands.ts';
import { TEST_COMMANDS } from './testCommands.ts';
import { VARIANT_COMMANDS } from './variantCommands.ts';
import { VIEW_COMMANDS } from './viewCommands.ts';

/** Everything a person can do in a notebook. Palette, menus, keys and the shortcuts page are built from this table. */
export const COMMANDS: readonly Command[] = [
  ...RUN_COMMANDS,
  ...RESULT_COMMANDS,
  ...CELL_COMMANDS,
  ...SETUP_COMMANDS,
  ...VARIANT_COMMANDS,
  ...TEST_COMMANDS,
  ...EDIT_COMMANDS,
  ...FORMAT_COMMANDS,
  ...FAULT_COMMANDS,
  ...PACKAGE_COMMANDS,
  ...NOTEBOOK_COMMANDS,
  ...EXPORT_COMMANDS,
  ...ASSISTANT_COMMANDS,
  ...VIEW_COMMANDS,
  ...HELP_COMMANDS,
];

const BY_ID = new Map(COMMANDS.map((command) => [command.id, command]));

export function commandOf(id: string): Command | null {
  return BY_ID.get(id) ?? null;
}
