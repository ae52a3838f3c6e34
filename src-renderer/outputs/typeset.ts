/** Renders the TeX formulas of Markdown text with KaTeX. */

import 'katex/dist/katex.min.css';
import katex from 'katex';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { showFormulaError } from './drawingErrors.ts';

/** A formula with more characters is shown as its source: typesetting it would block the page. */
const MAX_CHARACTERS = 4_000;
/** The longest time, in ms, for which the page is blocked; a text with hundreds of formulas is rendered in steps. */
const AT_ONCE_MS = 40;
/** The number of formulas rendered wherever they are; if thousands were, each change would lay out all of them. */
const MAX_AT_ANY_PLACE = 300;
/** Other formulas are rendered when they are within a quarter of a page above or below the visible part. */
const NEAR = { rootMargin: '25% 0px', scrollMargin: '25% 0px' };
/** The most macro expansions in one formula, which stops `\edef` bombs. */
const MAX_EXPANSIONS = 500;

/**
 * Renders the marked TeX in an element as formulas. Formulas are restricted: links, pictures and HTML in TeX are
 * refused, macros exist only in their own formula, and sizes are bounded. A formula that cannot be parsed stays as text
 * with the reason.
 */
export function typeset(root: Element): void {
  const places = [...root.querySelectorAll<HTMLElement>('[data-math]:not([data-typeset])')];
  typesetInSteps(root, places.slice(0, MAX_AT_ANY_PLACE));
  const others = places.slice(MAX_AT_ANY_PLACE);
  if (others.length === 0) return;
  const nearing = new IntersectionObserver((entries) => {
    const near = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    for (const place of near) nearing.unobserve(place);
    typesetInSteps(
      root,
      near.filter((place) => place instanceof HTMLElement),
    );
  }, NEAR);
  for (const place of others) nearing.observe(place);
}

function typesetInSteps(root: Element, places: readonly HTMLElement[]): void {
  let next = 0;
  const someOfThem = (): void => {
    const until = performance.now() + AT_ONCE_MS;
    for (; next < places.length && performance.now() < until; next += 1) {
      const place = places[next];
      if (place !== undefined) typesetOne(place);
    }
    if (next < places.length && root.isConnected) setTimeout(someOfThem);
  };
  someOfThem();
}

function typesetOne(place: HTMLElement): void {
  if (place.dataset['typeset'] !== undefined) return;
  const tex = place.textContent ?? '';
  place.dataset['typeset'] = 'true';
  if (tex.length > MAX_CHARACTERS) {
    showFormulaError(place, OUTPUT_WORDS.mathWrong(OUTPUT_WORDS.mathTooLong));
    return;
  }
  try {
    katex.render(tex, place, {
      displayMode: place.dataset['math'] === 'block',
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: MAX_EXPANSIONS,
      macros: {},
    });
  } catch (error) {
    // KaTeX throws on text it cannot parse; nesting too deep for the stack is a RangeError.
    place.textContent = tex;
    const why = error instanceof Error ? error.message : String(error);
    showFormulaError(place, OUTPUT_WORDS.mathWrong(why.replace(/^KaTeX parse error: /, '').slice(0, 300)));
  }
}
