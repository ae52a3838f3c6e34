/**
 * Commands about the notebook as a whole (save, rename, storage, first page): part of the command table (registry.ts).
 */

import { layoutStore } from '../state/layout.ts';
import type { Command } from './command.ts';

export const NOTEBOOK_COMMANDS: readonly Command[] = [
  {
    id: 'notebook.save',
    title: 'Save now',
    keys: ['Mod+s'],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    run: ({ session }) => session.edits.saveAll(),
  },
  {
    id: 'notebook.rename',
    title: 'Rename notebook',
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    run: ({ page }) => page.rename('notebook'),
  },
  {
    id: 'notebook.storage',
    title: 'Stored results and disk space',
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    run: () => layoutStore.getState().showPanel('files'),
  },
  {
    id: 'notebook.home',
    title: 'All notebooks',
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    run: () => {
      window.location.hash = '#/';
    },
  },
];
