import type { GivenCode } from '../../src-shared/notebook/forwardNames.ts';
import type { GraphCell } from '../../src-shared/notebook/graph.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { CellAnalysis } from './analyzeCell.ts';
import { givenCode } from './python/codeReads.ts';

/** Whether a cell's @per_variant can have a meaning: only Python cells run once per variant, and loops do not. */
export function canFanOut(analysis: CellAnalysis): boolean {
  return analysis.language === 'python' && loopOf(analysis) === null;
}

/** What of a loop links its cell: whose value it starts with, and that others may start with its own. */
export function loopLink(analysis: CellAnalysis): NonNullable<GraphCell['loop']> | null {
  const loop = loopOf(analysis);
  return loop === null ? null : { carry: loop.carry, startFrom: loop.startFromCell };
}

/** What a cell's code needs of the cells that call it; null where it is not Python. */
export function codeLink(analysis: CellAnalysis): GivenCode | null {
  return analysis.language === 'python' ? givenCode(analysis) : null;
}

/**
 * What a cell's analysis says to the graph.
 * @param stars what its star imports bring
 * @param frames names of tables that are data frames where a cell defines them
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
