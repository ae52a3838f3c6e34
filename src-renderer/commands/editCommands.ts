/** Commands that edit text, and undo and redo: part of the command table (registry.ts). */

import { COMMAND_WORDS as W } from '../words/commands.ts';
import type { Command, CommandContext } from './command.ts';
import { hasFocus, selectedCells } from './conditions.ts';

/** An action that the server has not answered yet can be undone too: the undo waits for the answer. */
function canUndo({ view }: CommandContext): string | true {
  return view.undo === null && view.pendingActions === 0 ? W.nothingUndo : true;
}

export const EDIT_COMMANDS: readonly Command[] = [
  {
    id: 'edit.undo',
    title: 'Undo',
    keys: ['Mod+z'],
    mode: 'any',
    group: 'edit',
    menu: { notebook: 1 },
    // While a cell is edited, the editor's own, finer undo steps come first.
    when: (context) => (context.page.editorCan('undo') ? W.nothingUndo : canUndo(context)),
    run: ({ session }) => void session.undo.undo(),
  },
  {
    id: 'edit.redo',
    title: 'Redo',
    keys: ['Mod+Shift+z', 'Mod+y'],
    mode: 'any',
    group: 'edit',
    menu: { notebook: 1 },
    when: ({ view, page }) => {
      if (page.editorCan('redo')) return W.nothingRedo;
      return view.redo === null ? W.nothingRedo : true;
    },
    run: ({ session }) => void session.undo.redo(),
  },
  {
    id: 'edit.undoCells',
    title: 'Undo in notebook',
    keys: ['z'],
    mode: 'command',
    group: 'edit',
    when: canUndo,
    run: ({ session }) => void session.undo.undo(),
  },
  {
    id: 'edit.redoCells',
    title: 'Redo in notebook',
    keys: ['Shift+z'],
    mode: 'command',
    group: 'edit',
    when: ({ view }) => (view.redo === null ? W.nothingRedo : true),
    run: ({ session }) => void session.undo.redo(),
  },
  {
    id: 'edit.cut',
    title: 'Cut cells',
    keys: ['x'],
    mode: 'command',
    group: 'edit',
    menu: { cell: 1 },
    when: hasFocus,
    run: ({ page }) => page.cut(),
  },
  {
    id: 'edit.copy',
    title: 'Copy cells',
    keys: ['c'],
    mode: 'command',
    group: 'edit',
    menu: { cell: 1 },
    when: hasFocus,
    run: ({ page }) => page.copy(),
  },
  {
    id: 'edit.paste',
    title: 'Paste cells below',
    keys: ['v'],
    mode: 'command',
    group: 'edit',
    menu: { cell: 1 },
    run: ({ page }) => page.paste('below'),
  },
  {
    id: 'cell.delete',
    title: 'Delete cell',
    keys: ['d d'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 1 },
    danger: true,
    when: hasFocus,
    run: (context) => context.session.deleteCells(selectedCells(context)),
  },
  {
    id: 'edit.pasteAbove',
    title: 'Paste cells above',
    keys: ['Shift+v'],
    mode: 'command',
    group: 'edit',
    menu: { cell: 2 },
    submenu: W.addHere,
    when: hasFocus,
    run: ({ page }) => page.paste('above'),
  },
  {
    id: 'edit.find',
    title: 'Find in notebook',
    keys: ['Mod+f'],
    mode: 'any',
    group: 'edit',
    menu: { notebook: 1 },
    run: ({ page }) => page.openFind({ replace: false }),
  },
  {
    id: 'edit.replace',
    title: 'Replace in notebook',
    keys: ['Mod+h', 'Mod+Alt+f'],
    mode: 'any',
    group: 'edit',
    menu: { notebook: 1 },
    run: ({ page }) => page.openFind({ replace: true }),
  },
  {
    id: 'edit.findNext',
    title: 'Next match',
    keys: ['F3'],
    mode: 'any',
    group: 'edit',
    run: ({ page }) => page.findNext(1),
  },
  {
    id: 'edit.findPrevious',
    title: 'Previous match',
    keys: ['Shift+F3'],
    mode: 'any',
    group: 'edit',
    run: ({ page }) => page.findNext(-1),
  },
];
