/** The loop annotation of a cell, and the estimated time until its iterations are done. */

import type { LoopAnnotation } from '../../src-shared/notebook/annotation.ts';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { LoopProgress } from './notebookModel.ts';

/** The loop annotation of a cell, parsed from its text, because annotations are not sent after an edit. */
export function loopOfCell({ language, source }: Cell): LoopAnnotation | null {
  if (!/@loop\b/i.test(source)) return null;
  return loopOf({ language, annotations: parseAnnotations(source, language) });
}

/**
 * The estimated milliseconds until all iterations are done, without an earlier stop; null until an iteration has run.
 */
export function loopRemainingMs({ eachMs, finished, maxIter, untilReached }: LoopProgress): number | null {
  return eachMs === null ? null : untilReached ? 0 : eachMs * (maxIter - finished);
}
