/** Assertions of component tests about the elements of a locator, named as in Playwright; each waits until it holds. */
import { expect } from 'vitest';
import { Locator } from './locator.ts';
import { isVisible, matchesText, normalized, type TextPattern, textOf } from './text.ts';
import { eventually } from './waiting.ts';

type Expected = TextPattern | readonly TextPattern[];

/** The actual value of an element, and the expected one. */
interface Reading {
  readonly passes: boolean;
  readonly actual: unknown;
  readonly expected?: unknown;
}

/** Reads the elements of a locator. `absent` is the result if no element matches. */
type Read<Args extends readonly unknown[]> = (elements: readonly Element[], ...args: Args) => Reading;

/**
 * Reads exactly one element.
 * @throws if several match
 */
function one<Args extends readonly unknown[]>(
  read: (element: HTMLElement, ...args: Args) => Reading,
): Read<Args> {
  return (elements, ...args) => {
    const [element, second] = elements;
    if (second !== undefined) throw new Error(`${elements.length} elements, not one`);
    if (element === undefined) return { passes: false, actual: 'no such element' };
    return read(element as HTMLElement, ...args); // SVG elements have everything that the matchers read
  };
}

/** Compares the texts of several elements one by one, or the text of one. */
function texts(exact: boolean): Read<[expected: Expected]> {
  const isText = (element: Element, pattern: TextPattern) => matchesText(textOf(element), pattern, exact);
  return (elements, expected) => {
    if (!Array.isArray(expected)) {
      return one((element) => ({
        passes: isText(element, expected as TextPattern), // not an array: the line above
        actual: textOf(element),
        expected,
      }))(elements);
    }
    const fits = expected.every((pattern: TextPattern, at) => {
      const element = elements[at];
      return element !== undefined && isText(element, pattern);
    });
    return { passes: fits && elements.length === expected.length, actual: elements.map(textOf), expected };
  };
}

/** The accessible name of an element if the author set one, else its text. */
function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label');
  return label ?? (textOfIds(element, 'aria-labelledby') || textOf(element));
}

/** The text of the elements whose ids are in an attribute. */
function textOfIds(element: Element, attribute: string): string {
  const ids = element.getAttribute(attribute)?.split(' ') ?? [];
  return normalized(ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' '));
}

function says(actual: string | null, expected: TextPattern | undefined): Reading {
  if (expected === undefined) return { passes: actual !== null, actual };
  const passes = expected instanceof RegExp ? expected.test(actual ?? '') : actual === expected;
  return { passes, actual, expected };
}

const READS = {
  toBeVisible: one((element) => ({ passes: isVisible(element), actual: 'hidden' })),
  toBeHidden: ((elements) => ({ passes: !elements.some(isVisible), actual: 'visible' })) as Read<[]>,
  toBeAttached: one(() => ({ passes: true, actual: 'attached' })),
  toBeFocused: one((element) => ({
    passes: document.activeElement === element,
    actual: document.activeElement?.outerHTML.slice(0, 200),
  })),
  toBeEnabled: one((element) => ({ passes: !element.matches(':disabled'), actual: 'disabled' })),
  toBeDisabled: one((element) => ({ passes: element.matches(':disabled'), actual: 'enabled' })),
  toBeChecked: one((element) => {
    const checked = (element as HTMLInputElement).checked ?? element.getAttribute('aria-checked') === 'true';
    return { passes: checked, actual: 'not checked' };
  }),
  toBeEmpty: one((element) => ({ passes: textOf(element) === '', actual: textOf(element) })),
  toHaveCount: ((elements, expected) => ({
    passes: elements.length === expected,
    actual: elements.length,
    expected,
  })) as Read<[expected: number]>,
  toHaveText: texts(true),
  toContainText: texts(false),
  toHaveAttribute: one((element, name: string, expected?: TextPattern) =>
    says(element.getAttribute(name), expected),
  ),
  toHaveValue: one((element, expected: TextPattern) => says((element as HTMLInputElement).value, expected)),
  toHaveClass: one((element, expected: TextPattern) => says(element.className, expected)),
  toHaveAccessibleName: one((element, expected: TextPattern) => says(nameOf(element), expected)),
  toHaveAccessibleDescription: one((element, expected: TextPattern) =>
    says(textOfIds(element, 'aria-describedby'), expected),
  ),
} satisfies Record<string, Read<never>>;

type Reads = typeof READS;
type ArgsOf<Name extends keyof Reads> = Reads[Name] extends Read<infer Args> ? Args : never;

/** The types of the matchers on `expect`. */
export type LocatorMatchers = { [Name in keyof Reads]: (...args: ArgsOf<Name>) => Promise<void> };

/** A matcher that waits until the elements are as expected, or until time is up. */
function matcher(name: string, read: Read<readonly unknown[]>) {
  return async function waits(
    this: { readonly isNot?: boolean },
    given: unknown,
    ...args: readonly unknown[]
  ) {
    if (!(given instanceof Locator)) throw new Error(`${name} is for elements of the page`);
    // Vitest omits it if the assertion is not negated.
    const mustPass = this.isNot !== true;
    let last: Reading | null = null;
    const settled = await eventually(() => {
      last = read(given.elements(), ...args);
      if (last.passes !== mustPass) throw new Error('not yet');
    }).then(
      () => true,
      (error: unknown) => {
        if (last === null || last.passes === mustPass) throw error;
        return false;
      },
    );
    const { actual, expected } = last ?? { actual: undefined, expected: undefined };
    return {
      pass: settled === mustPass,
      message: () => `${given.description}: ${mustPass ? '' : 'not '}${name}`,
      actual,
      expected,
    };
  };
}

/** Adds the matchers to Vitest's `expect`. */
export function extendExpect(): void {
  const all = Object.entries(READS).map(([name, read]) => [
    name,
    matcher(name, read as unknown as Read<readonly unknown[]>), // see LocatorMatchers
  ]);
  expect.extend(Object.fromEntries(all));
}
