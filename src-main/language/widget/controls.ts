/** Reads the controls (sliders, dropdowns, …) that a widget cell declares, from its text. */

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

/** A declared control, and the digest that its results depend on. */
export interface Control extends WidgetDescriptor {
  /** The line of the declaration, from 1. */
  readonly line: number;
  /** The digest of its kind and arguments: SHA-256 hex. */
  readonly digest: string;
  /** The default is a Python int, so whole values are ints too. */
  readonly isWhole: boolean;
  readonly defaultText: string;
  /** JSON text of each option, as Python would write it. */
  readonly optionTexts: readonly string[];
}

/**
 * A problem in a declaration. `widget_invalid` fails the run, other codes do not
 * (docs/spec/widgets-and-app-view.md, 1).
 */
interface ControlFault {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line: number;
}

/** The controls that a widget cell declares, in source order. */
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

/** Arguments of each kind. Others are stored too, with a warning that they have no effect. */
const KNOWN: Readonly<Record<WidgetKind, readonly string[]>> = {
  slider: ['min', 'max', 'step', 'default', 'label'],
  number: ['default', 'min', 'max', 'step', 'label'],
  dropdown: ['options', 'default', 'label'],
  checkbox: ['default', 'label'],
  text: ['default', 'label'],
};

/** Reads the `name = kind(...)` statements of a cell and ignores everything else. Nothing is executed. */
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
    const readResult = readArguments(text, { args, positional: POSITIONAL[kind], what: kind });
    for (const problem of readResult.problems) fail(problem);
    const control = controlOf({ name, kind, line, values: readResult.values });
    if (typeof control === 'string') {
      if (readResult.problems.length === 0) fail(control);
      continue;
    }
    if (readResult.problems.length > 0) continue;
    controls.set(name, control);
    faults.push(...warningsOf(control));
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

interface TypedDeclaration {
  readonly name: string;
  readonly kind: WidgetKind;
  readonly line: number;
  readonly values: Arguments;
}

/** The control, or the message why it is invalid. */
function controlOf(declaration: TypedDeclaration): Control | string {
  const { kind, values } = declaration;
  const problem = problemOf(declaration);
  if (problem !== null) return problem;
  const params = new Map(values);
  if (kind === 'slider' && !params.has('step')) params.set('step', sliderStep(values));
  const initial = values.get('default') ?? defaultOf(declaration);
  const options = (values.get('options')?.value ?? []) as readonly unknown[]; // a list: problemOf checked it
  return {
    name: declaration.name,
    kind,
    line: declaration.line,
    params: Object.fromEntries([...params].map(([name, { value }]) => [name, value])),
    default: initial.value as WidgetValue, // not a list: problemOf checked it
    digest: digestOf(kind, params),
    isWhole: initial.type === 'int',
    defaultText: initial.text,
    optionTexts: options.length === 0 ? [] : (values.get('options')?.items ?? []).map(({ text }) => text),
  };
}

const NOTHING: Literal = { value: null, text: 'null', type: 'none', items: [] };

function defaultOf({ kind, values }: TypedDeclaration): Literal {
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

/**
 * The default step of a slider: about a hundredth of the range; 1 for an empty range, whose control is shown and cannot
 * be moved.
 */
function sliderStep(values: Arguments): Literal {
  const [min, max] = [values.get('min'), values.get('max')];
  const step = stepOf(Number(min?.value), Number(max?.value)) ?? 1;
  const isWhole = min?.type === 'int' && max?.type === 'int' && Number.isInteger(step);
  return { value: step, text: numberText(step, isWhole), type: isWhole ? 'int' : 'float', items: [] };
}

const NUMBERS: ReadonlySet<Literal['type']> = new Set(['int', 'float']);

/** Why the arguments are not valid for this kind; null if they are. */
function problemOf({ kind, values }: TypedDeclaration): string | null {
  for (const name of ['min', 'max', 'step']) {
    const bound = values.get(name);
    const counts = kind === 'slider' || kind === 'number';
    if (!counts || bound === undefined) continue;
    if (!NUMBERS.has(bound.type)) return `\`${name}\` of a ${kind} must be a number.`;
    if (name === 'step' && Number(bound.value) <= 0) return '`step` must be larger than 0.';
  }
  const initial = values.get('default');
  switch (kind) {
    case 'slider':
      if (!values.has('min') || !values.has('max')) {
        return 'a slider needs its smallest and largest value: slider(0, 10).';
      }
      return initial === undefined || NUMBERS.has(initial.type)
        ? null
        : '`default` of a slider must be a number.';
    case 'number':
      return initial === undefined || NUMBERS.has(initial.type) || initial.type === 'none'
        ? null
        : '`default` of a number must be a number.';
    case 'dropdown':
      return dropdownProblem(values);
    case 'checkbox':
      return initial === undefined || initial.type === 'bool'
        ? null
        : '`default` of a checkbox must be True or False.';
    case 'text':
      return initial === undefined || initial.type === 'text'
        ? null
        : '`default` of a text must be text in quotes.';
    default:
      return kind satisfies never;
  }
}

function dropdownProblem(values: Arguments): string | null {
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

/** Declarations that run but are probably mistakes (docs/spec/annotations.md, 1.3). */
function warningsOf(control: Control): ControlFault[] {
  const { name, kind, line } = control;
  const faults: ControlFault[] = [];
  const warn = (code: DiagnosticCode, message: string): void => {
    faults.push({ code, message, line });
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
  return faults;
}
