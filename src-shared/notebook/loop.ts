import type { Language } from '../wire/cell.ts';
import type { Annotations, LoopAnnotation } from './annotation.ts';

/**
 * The loop a cell of Python or R runs as, or null where it runs once: a loop has a carry and may iterate at least
 * once (analysis-and-graph 3.5).
 */
export function loopOf(cell: {
  readonly language: Language;
  readonly annotations: Annotations;
}): LoopAnnotation | null {
  const { loop } = cell.annotations;
  if ((cell.language !== 'python' && cell.language !== 'r') || loop === null) return null;
  return loop.maxIter > 0 && loop.carry !== '' ? loop : null;
}

/** Stands in the artifact id of everything one iteration left, and in no other (provenance-and-cache 2). */
export const ITERATION_MARK = '@iter=';

/** `state@iter=3`: the label a variable, a display or the console of one iteration is kept under. */
export function iterationLabel(label: string, iteration: number): string {
  return `${label}${ITERATION_MARK}${iteration}`;
}
