/** The text of an element as a user reads it, and whether it is visible. Without CSS, attributes decide. */

export type TextPattern = string | RegExp;

/** The text as Playwright compares it: each run of white space becomes one space. */
export function textOf(element: Element): string {
  return normalized(element.textContent ?? '');
}

export function normalized(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whether a text matches: a string must be part of the text, ignoring case; with `exact` it must be all of it. */
export function matchesText(text: string, pattern: TextPattern, exact: boolean): boolean {
  const actual = normalized(text);
  if (pattern instanceof RegExp) return pattern.test(actual);
  const expected = normalized(pattern);
  return exact ? actual === expected : actual.toLowerCase().includes(expected.toLowerCase());
}

export function isVisible(element: Element): boolean {
  if (!element.isConnected) return false;
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    if (one.hasAttribute('hidden')) return false;
    const { style } = one as HTMLElement;
    if (style?.display === 'none' || style?.visibility === 'hidden') return false;
    const { parentElement } = one;
    const isFolded = parentElement instanceof HTMLDetailsElement && !parentElement.open;
    if (isFolded && one.tagName !== 'SUMMARY') return false;
  }
  return true;
}
