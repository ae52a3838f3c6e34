/**
 * Commands that add and remove the set-up cell, which runs at the start of every Python process: part of the command
 * table (registry.ts).
 */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { spliceDirective } from '../../src-shared/notebook/spliceDirective.ts';
import { shownSource } from '../state/notebookStore.ts';
import { declaresSetup } from '../state/setupCell.ts';
import { SETUP_WORDS as W } from '../words/setup.ts';
import type { Command, CommandContext } from './command.ts';
import { firstObstacle, hasFocus, onFocusedCell } from './conditions.ts';

const IN_MENU = { keys: [], mode: 'any', group: 'cell', menu: { cell: 3 }, submenu: W.submenu } as const;

function asksForSetup({ view }: CommandContext): boolean {
  return view.focusedId !== null && declaresSetup(shownSource(view, view.focusedId));
}

/** Adds the `@setup` annotation ('') or removes it (null), as one edit. */
function write(argument: '' | null): Command['run'] {
  return onFocusedCell(({ session, view }, cellId) => {
    const source = spliceDirective(shownSource(view, cellId), 'setup', argument);
    void session.shape.writeSources(new Map([[cellId, source]]), 'setup');
  });
}

export const SETUP_COMMANDS: readonly Command[] = [
  {
    ...IN_MENU,
    id: 'cell.makeSetup',
    title: W.make,
    when: firstObstacle(hasFocus, (context) => {
      const { focusedId, model } = context.view;
      if (focusedId !== null && factsOf(model.cells[focusedId]?.cell)?.setsUp !== true) return W.needsPython;
      return asksForSetup(context) ? W.isThat : true;
    }),
    run: write(''),
  },
  {
    ...IN_MENU,
    id: 'cell.makeOrdinary',
    title: W.makeOrdinary,
    when: firstObstacle(hasFocus, (context) => (asksForSetup(context) ? true : W.isOrdinary)),
    run: write(null),
  },
];
