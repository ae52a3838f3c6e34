/** Conditions under which commands apply. */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { selectedIds } from '../state/selection.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import type { Command, CommandContext } from './command.ts';

/** Conditions of commands: true when a command can run now, else the reason why it cannot. */

type When = NonNullable<Command['when']>;

/** The selected cells, in notebook order. */
export function selectedCells({ view }: CommandContext): readonly string[] {
  return selectedIds(view);
}

export const hasFocus: When = ({ view }) =>
  view.focusedId !== null && view.model.cells[view.focusedId] !== undefined ? true : W.needsCell;

/** At least one selected cell is one that runs. */
export const hasCode: When = (context) => {
  const ids = selectedCells(context);
  if (ids.length === 0) return W.needsCell;
  return ids.some((id) => !isText(context, id)) ? true : W.needsCode;
};

export const isLive: When = ({ view }) => {
  if (view.link.kind !== 'live') return W.needsConnection;
  return view.model.order.length > 0 ? true : W.needsCells;
};

/** The first reason why not. */
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

/** The cells that run, out of these. */
export function codeCells(context: CommandContext, cellIds: readonly string[]): readonly string[] {
  return cellIds.filter((id) => context.view.model.cells[id] !== undefined && !isText(context, id));
}

/** Runs on the focused cell. */
export function onFocusedCell(act: (context: CommandContext, cellId: string) => void): Command['run'] {
  return (context) => {
    const id = context.view.focusedId;
    if (id !== null) act(context, id);
  };
}
