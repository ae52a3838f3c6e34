/** Values of controls that the server has not confirmed. */

import { acceptValue, type WidgetDescriptor, type WidgetValue } from '../../src-shared/notebook/widgets.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';

/** What a person moved a control to, until the server says the same: the control never jumps back under the hand. */
interface Move {
  readonly value: WidgetValue;
  readonly sent: boolean;
}

/** The moves of one cell, by the control's name. */
export type PendingValues = ReadonlyMap<string, Move>;

const NO_MOVES: PendingValues = new Map();

export function pendingValuesOf({ moves }: Pick<NotebookView, 'moves'>, cellId: string): PendingValues {
  return moves[cellId] ?? NO_MOVES;
}

/** What the server has a control set to. */
function setValueOf(cell: Pick<Cell, 'widget'>, name: string): WidgetValue | undefined {
  const { widget } = cell;
  if (widget === undefined) return undefined;
  if (Object.hasOwn(widget.values, name)) return widget.values[name];
  return widget.descriptors.find((one) => one.name === name)?.default;
}

/** What a control shows: where it was moved to here, else what the server has. */
export function shownValue(
  cell: Pick<Cell, 'widget'>,
  moves: PendingValues,
  descriptor: WidgetDescriptor,
): WidgetValue {
  const moved = moves.get(descriptor.name);
  return moved === undefined ? (setValueOf(cell, descriptor.name) ?? descriptor.default) : moved.value;
}

export function isAnyRunning({ cells }: NotebookModel): boolean {
  return Object.values(cells).some(({ cell }) => cell.status === 'running');
}

/**
 * The moves that are still to be shown after frames came: one the server says the same of is done with, and so is
 * one it answered with something else while nothing runs any more: then it has the last word.
 */
export function unsettled(
  moves: PendingValues,
  cell: Cell | undefined,
  state: { readonly answered: boolean },
): PendingValues {
  const remaining = [...moves].filter(([name, { value, sent: isSent }]) => {
    const descriptor = cell?.widget?.descriptors.find((one) => one.name === name);
    if (cell === undefined || descriptor === undefined) return false;
    if (acceptValue(descriptor, value) === null) return false;
    return !(isSent && (setValueOf(cell, name) === value || state.answered));
  });
  return remaining.length === moves.size ? moves : new Map(remaining);
}
