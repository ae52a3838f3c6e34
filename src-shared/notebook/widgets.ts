/**
 * The controls of a widget cell and their valid values (docs/spec/widgets-and-app-view.md, 1). Pure: used by the server
 * to validate updates and by the page to validate typed values.
 */

const WIDGET_KINDS = ['slider', 'number', 'dropdown', 'checkbox', 'text'] as const;
export type WidgetKind = (typeof WIDGET_KINDS)[number];

/** A value of a control, as JSON. */
export type WidgetValue = string | number | boolean | null;

/** A control as its widget cell declares it. */
export interface WidgetDescriptor {
  readonly name: string;
  readonly kind: WidgetKind;
  /** The given arguments, and the step that a slider computes itself. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly default: WidgetValue;
}

/** Maximum length of a text control's value: it is sent with every state of the notebook. */
const MAX_TEXT_CHARACTERS = 100_000;

/** Whether this is a kind of control. */
export function isWidgetKind(name: string): name is WidgetKind {
  return WIDGET_KINDS.some((kind) => kind === name);
}

/** The options of a dropdown; empty if the declaration has none. */
export function optionsOf({ params }: Pick<WidgetDescriptor, 'params'>): readonly WidgetValue[] {
  const { options } = params;
  return Array.isArray(options) ? options.filter(isWidgetValue) : [];
}

function isWidgetValue(value: unknown): value is WidgetValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A bound or step of a slider or number; null if absent. */
export function boundOf({ params }: Pick<WidgetDescriptor, 'params'>, name: string): number | null {
  const bound = Object.hasOwn(params, name) ? params[name] : null;
  return typeof bound === 'number' ? bound : null;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number in a typed or sent value; null for anything else, also for values that are not finite. */
export function numberFrom(value: unknown): number | null {
  const number =
    typeof value === 'string' && DECIMAL.test(value.trim())
      ? Number(value)
      : typeof value === 'boolean'
        ? Number(value)
        : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  // -0 and 0 are the same value, but would be stored as two.
  return number === 0 ? 0 : number;
}

/** Null if no number is between the bounds. */
function clamped(descriptor: WidgetDescriptor, value: number): number | null {
  const min = boundOf(descriptor, 'min') ?? Number.NEGATIVE_INFINITY;
  const max = boundOf(descriptor, 'max') ?? Number.POSITIVE_INFINITY;
  return min > max ? null : Math.min(Math.max(value, min), max);
}

type AcceptedValue = { readonly value: WidgetValue } | null;

/**
 * Converts a sent value for a control: numbers are clamped, `"12"` is 12 for a number and 0 is false for a
 * checkbox. Null if the control accepts no such value.
 */
export function acceptValue(descriptor: WidgetDescriptor, receivedValue: unknown): AcceptedValue {
  switch (descriptor.kind) {
    case 'slider':
    case 'number': {
      const number = numberFrom(receivedValue);
      const value = number === null ? null : clamped(descriptor, number);
      return value === null ? null : { value };
    }
    case 'dropdown':
      return optionsOf(descriptor).some((option) => option === receivedValue)
        ? { value: receivedValue as WidgetValue }
        : null;
    case 'checkbox':
      if (typeof receivedValue === 'boolean') return { value: receivedValue };
      return typeof receivedValue === 'number' && Number.isFinite(receivedValue)
        ? { value: receivedValue !== 0 }
        : null;
    case 'text': {
      const text =
        typeof receivedValue === 'number' && Number.isFinite(receivedValue)
          ? String(receivedValue)
          : receivedValue;
      const isText = typeof text === 'string' && text.length <= MAX_TEXT_CHARACTERS && !/\p{Cs}/u.test(text);
      return isText ? { value: text } : null;
    }
    default:
      return descriptor.kind satisfies never;
  }
}

/**
 * A value that was set before the declaration was edited: it is kept while the control still accepts such
 * values, and clamped to new bounds. Null: the control returns to its default.
 */
export function valueAfterEdit(descriptor: WidgetDescriptor, set: WidgetValue): AcceptedValue {
  const natural: Readonly<Record<WidgetKind, string | null>> = {
    slider: 'number',
    number: 'number',
    checkbox: 'boolean',
    text: 'string',
    dropdown: null,
  };
  const type = natural[descriptor.kind];
  return type === null || typeof set === type ? acceptValue(descriptor, set) : null;
}

/** The number of decimals a slider of this step shows: `0.05` two, `10` none. */
export function digitsOf(step: number): number {
  const [mantissa = '', exponent = '0'] = step.toExponential().split('e');
  const digits = (mantissa.split('.')[1] ?? '').length - Number(exponent);
  return Math.min(Math.max(digits, 0), 20);
}

/**
 * A hundredth of the range, rounded to 1, 2 or 5 times a power of ten (docs/spec/widgets-and-app-view.md, 1).
 * @returns null for an empty range
 */
export function stepOf(min: number, max: number): number | null {
  const raw = max / 100 - min / 100;
  if (!(raw > 0) || !Number.isFinite(raw)) return null;
  const [mantissa = '1', exponent = '0'] = raw.toExponential().split('e');
  const size = Number(mantissa);
  const nice = size < 1.5 ? 1 : size < 3.5 ? 2 : size < 7.5 ? 5 : 10;
  return Number(`${nice}e${exponent}`);
}
