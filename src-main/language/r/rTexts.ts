import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';

/** The sources that R has to parse for an R cell: the cell's and, if it is a loop, its until expression. */
export function rTextsOf(source: string): readonly string[] {
  const until = loopOf({ language: 'r', annotations: parseAnnotations(source, 'r') })?.untilExpr ?? null;
  return until === null ? [source] : [source, until];
}
