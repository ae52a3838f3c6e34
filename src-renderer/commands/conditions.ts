/** Conditions under which commands apply: true when a command can run now, else the reason why it cannot. */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { selectedIds } from '../state/selection.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import type { Command, CommandContext } from './command.ts';

type When = NonNullable<Command['when']>;

/** The selected cells, in notebook order. */
export function selectedCells({ view }: CommandContext): readonly string[] {
  return selectedIds(view);
}

export const hasFocus: When = ({ view }) =>
  view.focusedId !== null && view.model.cells[view.focusedId] !== undefined ? true : W.needsCell;

/** True if at least one selected cell can run. */
export const hasCode: When = (context) => {
  const ids = selectedCells(context);
  if (ids.length === 0) return W.needsCell;
  return ids.some((id) => !isText(context, id)) ? true : W.needsCode;
};

export const isLive: When = ({ view }) => {
  if (view.link.kind !== 'live') return W.needsConnection;
  return view.model.order.length > 0 ? true : W.needsCells;
};

/** A condition that needs all of these; its reason is that of the first that is not met. */
export function firstObstacle(...conditions: readonly When[]): When {
  return (context) => {
    for (const condition of conditions) {
      const answer = condition(context);
      if (answer !== true) return answer;
    }
    return true;
  };
}

export function isText({ view }: CommandContext, cellId: string): boolean {
  return factsOf(view.model.cells[cellId]?.cell)?.runs === false;
}

/** Those of the given cells that can run. */
export function codeCells(context: CommandContext, cellIds: readonly string[]): readonly string[] {
  return cellIds.filter((id) => context.view.model.cells[id] !== undefined && !isText(context, id));
}

/** The action of a command on the focused cell; it does nothing when no cell has the focus. */
export function onFocusedCell(act: (context: CommandContext, cellId: string) => void): Command['run'] {
  return (context) => {
    const id = context.view.focusedId;
    if (id !== null) act(context, id);
  };
}
