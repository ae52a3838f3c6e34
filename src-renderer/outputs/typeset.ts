/** Renders TeX formulas. */

import 'katex/dist/katex.min.css';
import katex from 'katex';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { showFormulaError } from './drawingErrors.ts';

/** A longer formula is shown as it is written: typesetting it would hold the page up. */
const MAX_CHARACTERS = 4_000;
/** The longest time in ms that the page is blocked; a text of hundreds of formulas is rendered in several steps. */
const AT_ONCE_MS = 40;
/** This many formulas of a text are rendered at any position; with thousands, each change would lay out all of them. */
const MAX_AT_ANY_PLACE = 300;
/** The others are set as they come near to what is seen, a quarter of a page above and below. */
const NEAR = { rootMargin: '25% 0px', scrollMargin: '25% 0px' };
/** Expansions of macros in one formula; `\edef` bombs end here. */
const MAX_EXPANSIONS = 500;

/**
 * Makes formulas of the marked TeX in an element. Nothing in a formula can lead anywhere: links, pictures and HTML of
 * TeX are refused, macros live in their own formula only, and sizes are bounded. A formula that cannot be read stays
 * as text with the reason.
 */
export function typeset(root: Element): void {
  const places = [...root.querySelectorAll<HTMLElement>('[data-math]:not([data-typeset])')];
  bitByBit(root, places.slice(0, MAX_AT_ANY_PLACE));
  const others = places.slice(MAX_AT_ANY_PLACE);
  if (others.length === 0) return;
  const nearing = new IntersectionObserver((entries) => {
    const near = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    for (const place of near) nearing.unobserve(place);
    bitByBit(
      root,
      near.filter((place) => place instanceof HTMLElement),
    );
  }, NEAR);
  for (const place of others) nearing.observe(place);
}

function bitByBit(root: Element, places: readonly HTMLElement[]): void {
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
    // KaTeX throws what it cannot read, and a RangeError for nesting beyond the stack.
    place.textContent = tex;
    const why = error instanceof Error ? error.message : String(error);
    showFormulaError(place, OUTPUT_WORDS.mathWrong(why.replace(/^KaTeX parse error: /, '').slice(0, 300)));
  }
}
