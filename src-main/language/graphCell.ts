/** Converts the analysis of a cell to a node of the notebook's graph. */

import type { GivenCode } from '../../src-shared/notebook/forwardNames.ts';
import type { GraphCell } from '../../src-shared/notebook/graph.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { CellAnalysis } from './cellAnalysis.ts';
import { codeReadsOf } from './python/codeReads.ts';

/** Whether @per_variant applies to a cell: only Python cells that are not loops run once per variant. */
export function canFanOut(analysis: CellAnalysis): boolean {
  return LANGUAGES[analysis.language].fansOut && loopOf(analysis) === null;
}

/** The edges of a loop: the name it carries, and the loop whose iteration it starts from. */
export function loopLink(analysis: CellAnalysis): NonNullable<GraphCell['loop']> | null {
  const loop = loopOf(analysis);
  return loop === null ? null : { carry: loop.carry, startFrom: loop.startFromCell };
}

/** The names that a cell's code needs from the cells that call it; null if it is not Python. */
export function codeLink(analysis: CellAnalysis): GivenCode | null {
  return LANGUAGES[analysis.language].sharesCode ? codeReadsOf(analysis) : null;
}

/**
 * Converts a cell's analysis into a node of the graph.
 * @param stars names that its star imports bring
 * @param frames names of tables that are data frames if a cell defines them
 */
export function graphCell(
  id: CellId,
  analysis: CellAnalysis,
  stars: readonly string[] = [],
  frames: readonly string[] = [],
): GraphCell {
  const { defines, references, builtinReferences, maybeReferences, maybeDefines, annotations } = analysis;
  const { after, variant, perVariant } = annotations;
  return {
    id,
    defines: stars.length === 0 ? defines : [...new Set([...defines, ...stars])],
    references,
    builtinReferences,
    maybeReferences: frames.length === 0 ? maybeReferences : [...maybeReferences, ...frames],
    maybeDefines,
    after,
    loop: loopLink(analysis),
    variant,
    perVariant: canFanOut(analysis) ? perVariant : null,
    code: codeLink(analysis),
  };
}
