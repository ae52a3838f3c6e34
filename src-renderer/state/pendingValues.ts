/** Values of controls that were set in this window and that the server has not confirmed. Pure. */

import { acceptValue, type WidgetDescriptor, type WidgetValue } from '../../src-shared/notebook/widgets.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/**
 * A value that was set in this window. It is shown until the server confirms it, so that the control does not jump
 * back.
 */
interface Move {
  readonly value: WidgetValue;
  readonly sent: boolean;
}

/** The unconfirmed values of one cell, by the control's name. */
export type PendingValues = ReadonlyMap<string, Move>;

const NO_MOVES: PendingValues = new Map();

export function pendingValuesOf(
  { moves }: { readonly moves: Readonly<Record<string, PendingValues>> },
  cellId: string,
): PendingValues {
  return moves[cellId] ?? NO_MOVES;
}

/** The value of a control on the server. */
function setValueOf(cell: Pick<Cell, 'widget'>, name: string): WidgetValue | undefined {
  const { widget } = cell;
  if (widget === undefined) return undefined;
  if (Object.hasOwn(widget.values, name)) return widget.values[name];
  return widget.descriptors.find((one) => one.name === name)?.default;
}

/** The value that a control shows: the unconfirmed one, otherwise the server's. */
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
 * The unconfirmed values that remain after a frame. A value is removed when the server has confirmed it, or when the
 * server replied with another value and nothing is running.
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
