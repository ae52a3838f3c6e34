import 'katex/dist/katex.min.css';
import katex from 'katex';
import { OUTPUT_WORDS } from '../ui/words/outputs.ts';

/** A longer formula is shown as it is written: typesetting it would hold the page up. */
const MOST_CHARACTERS = 10_000;
/** Expansions of macros in one formula; `\edef` bombs end here. */
const MOST_EXPANSIONS = 500;

/**
 * Makes formulas of the marked TeX in an element. Nothing in a formula can lead anywhere: links, pictures and HTML of
 * TeX are refused, macros live in their own formula only, and sizes are bounded. A formula that cannot be read stays
 * as text with the reason.
 */
export function typeset(root: Element): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-math]:not([data-typeset])')) {
    const tex = place.textContent ?? '';
    place.dataset['typeset'] = 'true';
    if (tex.length > MOST_CHARACTERS) {
      explain(place, OUTPUT_WORDS.mathTooLong);
      continue;
    }
    try {
      katex.render(tex, place, {
        displayMode: place.dataset['math'] === 'block',
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxSize: 20,
        maxExpand: MOST_EXPANSIONS,
        macros: {},
      });
    } catch (error) {
      // KaTeX throws what it cannot read, and a RangeError for nesting beyond the stack.
      place.textContent = tex;
      explain(place, error instanceof Error ? error.message : String(error));
    }
  }
}

function explain(place: HTMLElement, why: string): void {
  place.classList.add('math-wrong');
  const note = document.createElement('span');
  note.className = 'math-why';
  note.textContent = OUTPUT_WORDS.mathWrong(why.replace(/^KaTeX parse error: /, '').slice(0, 300));
  place.append(note);
}
