/** Renders the formulas and diagrams of rendered Markdown; both renderers are loaded only when a text needs them. */

import { OUTPUT_WORDS } from '../words/outputs.ts';
import { showDiagramError, showFormulaError } from './drawingErrors.ts';

type Work = (root: Element) => void | Promise<void>;

let typeset: Work | null = null;

/** Renders formulas; immediately if the typesetter is already loaded, so that nothing jumps while a text is typed. */
function withMath(root: Element): void {
  if (root.querySelector('[data-math]:not([data-typeset])') === null) return;
  if (typeset !== null) return void typeset(root);
  void import('./typeset.ts').then(
    (module) => {
      typeset = module.typeset;
      typeset(root);
    },
    (error: unknown) => {
      console.error('the typesetter of formulas did not load', error);
      for (const place of root.querySelectorAll<HTMLElement>('[data-math]:not(.math-wrong)')) {
        showFormulaError(place, OUTPUT_WORDS.mathNotLoaded);
      }
    },
  );
}

function withDiagrams(root: Element): void {
  if (root.querySelector('[data-diagram]') === null) return;
  import('./diagrams.ts').then(
    ({ drawDiagrams }) => drawDiagrams(root),
    (error: unknown) => {
      console.error('the drawing of diagrams did not load', error);
      for (const place of root.querySelectorAll<HTMLElement>('[data-diagram]:not(:has(> *))')) {
        const text = place.textContent ?? '';
        place.dataset['text'] = text;
        showDiagramError(place, text, OUTPUT_WORDS.diagramNotLoaded);
      }
    },
  );
}

/**
 * Renders the formulas and diagrams that `renderMarkdown` marked. Both renderers are loaded only when a text needs
 * them; until then, or if loading fails, the source text is shown.
 * @returns a function that stops following the page's colours
 */
export function enrich(root: Element): () => void {
  withMath(root);
  withDiagrams(root);
  if (root.querySelector('[data-diagram]') === null) return () => undefined;
  const colours = new MutationObserver(() => withDiagrams(root));
  colours.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => colours.disconnect();
}
