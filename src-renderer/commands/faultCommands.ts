/**
 * Commands about faults (the diagnostics in the code of cells): go to the next one, fix one. Part of the command table
 * (registry.ts).
 */

import { applyFix } from '../live/applyFix.ts';
import { faultPlaces, fixAt, nextFault } from '../state/faults.ts';
import { shownSource } from '../state/notebookStore.ts';
import { FAULT_WORDS as W } from '../words/faults.ts';
import type { Command, CommandContext } from './command.ts';
import { firstObstacle, hasFocus, onFocusedCell } from './conditions.ts';

/** The line of the caret, counted from 1; null while no cell is edited. */
function caretLine({ view, page }: CommandContext, cellId: string): number | null {
  const offset = page.caretOffset();
  if (offset === null) return view.lineMark?.cellId === cellId ? view.lineMark.line : null;
  return shownSource(view, cellId).slice(0, offset).split('\n').length;
}

function fixAtCaret(context: CommandContext, cellId: string) {
  const cell = context.view.model.cells[cellId]?.cell;
  if (cell === undefined) return null;
  return fixAt(cell, shownSource(context.view, cellId), caretLine(context, cellId));
}

function go(by: 1 | -1): Command['run'] {
  return (context) => {
    const { view, session } = context;
    const cellId = view.focusedId;
    const line = cellId === null ? null : caretLine(context, cellId);
    const next = nextFault(view.model, { cellId, line }, by);
    if (next === null) return;
    if (next.line === null) session.focus(next.cellId, 'command');
    else session.markLine({ cellId: next.cellId, line: next.line });
  };
}

const somethingWrong: NonNullable<Command['when']> = ({ view }) =>
  faultPlaces(view.model).length > 0 ? true : W.nothingWrong;

export const FAULT_COMMANDS: readonly Command[] = [
  {
    id: 'fault.fix',
    title: 'Apply quick fix',
    keys: ['Mod+.'],
    mode: 'any',
    group: 'edit',
    menu: { cell: 2 },
    when: firstObstacle(hasFocus, (context) => {
      const { focusedId } = context.view;
      return focusedId !== null && fixAtCaret(context, focusedId) !== null ? true : W.nothingToFix;
    }),
    run: onFocusedCell((context, cellId) => {
      const fix = fixAtCaret(context, cellId);
      if (fix !== null) applyFix(context.session, cellId, fix);
    }),
  },
  {
    id: 'fault.next',
    title: 'Go to next problem',
    keys: ['F8'],
    mode: 'any',
    group: 'view',
    when: somethingWrong,
    run: go(1),
  },
  {
    id: 'fault.previous',
    title: 'Go to previous problem',
    keys: ['Shift+F8'],
    mode: 'any',
    group: 'view',
    when: somethingWrong,
    run: go(-1),
  },
];
