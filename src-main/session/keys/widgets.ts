/**
 * Computes the values and keys of the controls of widget cells, and their wire form (docs/spec/widgets-and-app-view.md,
 * 1). Pure.
 */

import { createHash } from 'node:crypto';
import { acceptValue, valueAfterEdit, type WidgetValue } from '../../../src-shared/notebook/widgets.ts';
import type { Widget } from '../../../src-shared/wire/widget.ts';
import type { Control } from '../../language/widget/controls.ts';
import { numberText } from '../../language/widget/literal.ts';
import { whyInvalid } from '../../language/widget/readWidget.ts';
import type { KeyedControl, WidgetRun } from '../../run/widget/widgetRequest.ts';
import type { CellState } from '../state/state.ts';

type WidgetCellState = Pick<CellState, 'analysis' | 'widgetValues'>;

const NO_CONTROLS: readonly Control[] = [];

function controlsOf({ analysis }: WidgetCellState): readonly Control[] {
  return analysis.widget?.controls ?? NO_CONTROLS;
}

/** The set values that the controls still accept; a control without one has its default. */
function setValues(cell: WidgetCellState): ReadonlyMap<string, WidgetValue> {
  const set = new Map<string, WidgetValue>();
  for (const control of controlsOf(cell)) {
    const value = cell.widgetValues.get(control.name);
    const accepted = value === undefined ? null : valueAfterEdit(control, value);
    if (accepted !== null) set.set(control.name, accepted.value);
  }
  return set;
}

/**
 * The value as JSON text that Python parses to the type it would have written: whole values of an int stay
 * int.
 */
function textOf(control: Control, value: WidgetValue): string {
  if (typeof value === 'number' && control.kind !== 'dropdown') {
    return numberText(value, control.isWhole && Number.isInteger(value));
  }
  if (control.kind !== 'dropdown') return JSON.stringify(value);
  const options = control.params['options'];
  const at = Array.isArray(options) ? options.indexOf(value) : -1;
  return control.optionTexts[at] ?? control.defaultText;
}

/**
 * Each control after a run: its value and that value's key (docs/spec/widgets-and-app-view.md, 1: {kind, params} and
 * value).
 */
export function keyedControls(cell: WidgetCellState): readonly KeyedControl[] {
  const set = setValues(cell);
  return controlsOf(cell).map((control) => {
    const value = set.get(control.name);
    const text = value === undefined ? control.defaultText : textOf(control, value);
    const key = createHash('sha256').update(`widget\0${control.digest}\0${text}`).digest('hex');
    return { name: control.name, kind: control.kind, text, value: value ?? control.default, key };
  });
}

/** The parameters of a run of a widget cell; null for a cell without controls. */
export function widgetRunOf(cell: WidgetCellState, reuses: boolean): WidgetRun | null {
  const { widget } = cell.analysis;
  return widget === null ? null : { controls: keyedControls(cell), problem: whyInvalid(widget), reuses };
}

/** The controls part of a cell's JSON; null for a cell without controls of its own. */
export function viewWidget(cell: WidgetCellState): Widget | null {
  if (cell.analysis.widget === null) return null;
  return {
    descriptors: controlsOf(cell).map(({ name, kind, params, default: initial }) => ({
      name,
      kind,
      params: { ...params },
      default: initial,
    })),
    values: Object.fromEntries(setValues(cell)),
  };
}

/**
 * The values of an update that the controls accept; unknown names and invalid values are dropped
 * (docs/spec/widgets-and-app-view.md, 1). Null if none remains.
 */
export function acceptedValues(
  cell: WidgetCellState,
  values: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, WidgetValue> | null {
  const accepted = new Map<string, WidgetValue>();
  for (const control of controlsOf(cell)) {
    if (!Object.hasOwn(values, control.name)) continue;
    const value = acceptValue(control, values[control.name]);
    if (value !== null) accepted.set(control.name, value.value);
  }
  return accepted.size === 0 ? null : accepted;
}
