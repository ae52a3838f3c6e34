import { createHash } from 'node:crypto';
import type { DiagnosticCode } from '../../../src-shared/notebook/diagnostics.ts';
import {
  boundOf,
  isWidgetKind,
  stepOf,
  type WidgetDescriptor,
  type WidgetKind,
  type WidgetValue,
} from '../../../src-shared/notebook/widgets.ts';
import { fieldOf, nameOf, type ParsedText, partsOf, type Syntax, textOf } from '../python/syntax.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { type Literal, numberText } from './literal.ts';

/** A declared control, with what its results are keyed by. */
export interface Control extends WidgetDescriptor {
  /** 1-based. */
  readonly line: number;
  /** SHA-256 hex of its kind and arguments. */
  readonly digest: string;
  /** The default is a Python int, and so are whole values. */
  readonly isWhole: boolean;
  readonly defaultText: string;
  /** JSON text of each option, as Python would write it. */
  readonly optionTexts: readonly string[];
}

/** Something that is wrong in a declaration. Errors fail the run, the others do not (widgets-and-app-view). */
export interface ControlFault {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line: number;
}

/** What a widget cell declares, in source order. */
export interface WidgetCell {
  readonly controls: readonly Control[];
  readonly faults: readonly ControlFault[];
}

const POSITIONAL: Readonly<Record<WidgetKind, readonly string[]>> = {
  slider: ['min', 'max'],
  number: ['default'],
  dropdown: ['options'],
  checkbox: ['default'],
  text: ['default'],
};

/** Arguments each kind knows by name; others are kept, and said to be without effect. */
const KNOWN: Readonly<Record<WidgetKind, readonly string[]>> = {
  slider: ['min', 'max', 'step', 'default', 'label'],
  number: ['default', 'min', 'max', 'step', 'label'],
  dropdown: ['options', 'default', 'label'],
  checkbox: ['default', 'label'],
  text: ['default', 'label'],
};

/** Reads the `name = kind(...)` statements of a program; everything else in it is ignored. Nothing is executed. */
export function readControls({ text, root }: ParsedText): WidgetCell {
  const controls = new Map<string, Control>();
  const faults: ControlFault[] = [];
  for (const { name, kind, args, line } of declarations({ text, root })) {
    const fail = (message: string): void => {
      faults.push({ code: 'widget_invalid', message: `Line ${line}: ${message}`, line });
    };
    if (!isWidgetKind(kind)) {
      fail(`\`${kind}\` is not a control. Use slider, number, dropdown, checkbox or text.`);
      continue;
    }
    if (controls.has(name)) {
      fail(`\`${name}\` is declared twice. Give each control its own name.`);
      continue;
    }
    const read = readArguments(text, { args, positional: POSITIONAL[kind], what: kind });
    for (const problem of read.problems) fail(problem);
    const made = controlOf({ name, kind, line, values: read.values });
    if (typeof made === 'string') {
      if (read.problems.length === 0) fail(made);
      continue;
    }
    if (read.problems.length > 0) continue;
    controls.set(name, made);
    faults.push(...warningsOf(made));
  }
  return { controls: [...controls.values()], faults };
}

interface Declaration {
  readonly name: string;
  readonly kind: string;
  readonly args: Syntax;
  readonly line: number;
}

function* declarations({ text, root }: ParsedText): Generator<Declaration> {
  for (const statement of root === null ? [] : partsOf(root)) {
    const assignment = statement.type === 'expression_statement' ? partsOf(statement)[0] : undefined;
    if (assignment?.type !== 'assignment' || fieldOf(assignment, 'type') !== undefined) continue;
    const [target, call] = [fieldOf(assignment, 'left'), fieldOf(assignment, 'right')];
    if (target?.type !== 'identifier' || call?.type !== 'call') continue;
    const [kind, args] = [fieldOf(call, 'function'), fieldOf(call, 'arguments')];
    if (kind?.type !== 'identifier' || args === undefined) continue;
    const line = text.slice(0, assignment.start).split('\n').length;
    yield { name: nameOf(text, target), kind: textOf(text, kind), args, line };
  }
}

interface Declared {
  readonly name: string;
  readonly kind: WidgetKind;
  readonly line: number;
  readonly values: Arguments;
}

/** The control, or in words why there is none. */
function controlOf(declared: Declared): Control | string {
  const { kind, values } = declared;
  const misfit = misfitOf(declared);
  if (misfit !== null) return misfit;
  const params = new Map(values);
  if (kind === 'slider' && !params.has('step')) params.set('step', sliderStep(values));
  const given = values.get('default') ?? defaultOf(declared);
  const options = (values.get('options')?.value ?? []) as readonly unknown[]; // a list: misfitOf
  return {
    name: declared.name,
    kind,
    line: declared.line,
    params: Object.fromEntries([...params].map(([name, { value }]) => [name, value])),
    default: given.value as WidgetValue, // no list: misfitOf
    digest: digestOf(kind, params),
    isWhole: given.type === 'int',
    defaultText: given.text,
    optionTexts: options.length === 0 ? [] : (values.get('options')?.items ?? []).map(({ text }) => text),
  };
}

const NOTHING: Literal = { value: null, text: 'null', type: 'none', items: [] };

function defaultOf({ kind, values }: Declared): Literal {
  switch (kind) {
    case 'slider':
      return values.get('min') ?? NOTHING;
    case 'number':
      return NOTHING;
    case 'dropdown':
      return values.get('options')?.items[0] ?? NOTHING;
    case 'checkbox':
      return { value: false, text: 'false', type: 'bool', items: [] };
    case 'text':
      return { value: '', text: '""', type: 'text', items: [] };
    default:
      return kind satisfies never;
  }
}

/** A range that is empty has no hundredth; its control is shown and cannot be moved. */
function sliderStep(values: Arguments): Literal {
  const [min, max] = [values.get('min'), values.get('max')];
  const step = stepOf(Number(min?.value), Number(max?.value)) ?? 1;
  const isWhole = min?.type === 'int' && max?.type === 'int' && Number.isInteger(step);
  return { value: step, text: numberText(step, isWhole), type: isWhole ? 'int' : 'float', items: [] };
}

const NUMBERS: ReadonlySet<Literal['type']> = new Set(['int', 'float']);

/** Why the arguments make no control of this kind, in words; null where they do. */
function misfitOf({ kind, values }: Declared): string | null {
  for (const name of ['min', 'max', 'step']) {
    const bound = values.get(name);
    const counts = kind === 'slider' || kind === 'number';
    if (!counts || bound === undefined) continue;
    if (!NUMBERS.has(bound.type)) return `\`${name}\` of a ${kind} must be a number.`;
    if (name === 'step' && Number(bound.value) <= 0) return '`step` must be larger than 0.';
  }
  const given = values.get('default');
  switch (kind) {
    case 'slider':
      if (!values.has('min') || !values.has('max')) {
        return 'a slider needs its smallest and largest value: slider(0, 10).';
      }
      return given === undefined || NUMBERS.has(given.type)
        ? null
        : '`default` of a slider must be a number.';
    case 'number':
      return given === undefined || NUMBERS.has(given.type) || given.type === 'none'
        ? null
        : '`default` of a number must be a number.';
    case 'dropdown':
      return dropdownMisfit(values);
    case 'checkbox':
      return given === undefined || given.type === 'bool'
        ? null
        : '`default` of a checkbox must be True or False.';
    case 'text':
      return given === undefined || given.type === 'text'
        ? null
        : '`default` of a text must be text in quotes.';
    default:
      return kind satisfies never;
  }
}

function dropdownMisfit(values: Arguments): string | null {
  const options = values.get('options');
  if (options?.type !== 'list' || options.items.length === 0) {
    return "a dropdown needs a list of options: dropdown(['a', 'b']).";
  }
  if (options.items.some(({ type }) => type === 'list')) return 'an option of a dropdown cannot be a list.';
  return values.get('default')?.type === 'list' ? '`default` of a dropdown cannot be a list.' : null;
}

function digestOf(kind: WidgetKind, params: Arguments): string {
  const lines = [...params].map(([name, { text }]) => `${name}=${text}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([kind, lines]))
    .digest('hex');
}

/** What runs all the same and is hardly meant (annotations 1.3). */
function warningsOf(control: Control): ControlFault[] {
  const { name, kind, line } = control;
  const found: ControlFault[] = [];
  const warn = (code: DiagnosticCode, message: string): void => {
    found.push({ code, message, line });
  };
  const [min, max] = [boundOf(control, 'min'), boundOf(control, 'max')];
  const counts = kind === 'slider' || kind === 'number';
  if (counts && min !== null && max !== null && min >= max) {
    warn('widget_bad_range', `\`${name}\` goes from ${min} to ${max}, but the first value must be smaller.`);
  } else if (counts && typeof control.default === 'number') {
    const value = control.default;
    if ((min !== null && value < min) || (max !== null && value > max)) {
      warn(
        'widget_default_out_of_range',
        `\`${name}\` starts at ${value}, outside ${min ?? ''}…${max ?? ''}.`,
      );
    }
  }
  if (kind === 'dropdown' && !control.optionTexts.includes(control.defaultText)) {
    warn(
      'widget_default_not_an_option',
      `\`${name}\` starts with ${control.defaultText}, which is not one of its options.`,
    );
  }
  for (const param of Object.keys(control.params)) {
    if (KNOWN[kind].includes(param)) continue;
    warn('widget_argument_unknown', `A ${kind} has no \`${param}\`, so it has no effect.`);
  }
  return found;
}
