/** Decides whether a cell runs as a loop, and labels the results of its iterations. */

import type { Language } from '../wire/cell.ts';
import type { Annotations, LoopAnnotation } from './annotation.ts';
import { LANGUAGES } from './languages/languages.ts';

/**
 * The loop a cell of Python or R runs as, or null if it runs once: a loop has a carry and at least one
 * iteration (docs/spec/analysis-and-graph.md, 3.5).
 */
export function loopOf(cell: {
  readonly language: Language;
  readonly annotations: Annotations;
}): LoopAnnotation | null {
  const { loop } = cell.annotations;
  if (!LANGUAGES[cell.language].runsCode || loop === null) return null;
  return loop.maxIter > 0 && loop.carry !== '' ? loop : null;
}

/** Part of the artifact ids of an iteration's results, and of no other (docs/spec/provenance-and-cache.md, 2). */
export const ITERATION_MARK = '@iter=';

/** `state@iter=3`: the label of a variable, a display or the console of one iteration. */
export function iterationLabel(label: string, iteration: number): string {
  return `${label}${ITERATION_MARK}${iteration}`;
}
