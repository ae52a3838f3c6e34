/** Makes the source of a loop cell that continues from an iteration of another loop. */

import { parseAnnotations } from './annotations.ts';
import { readDirectives } from './directives.ts';

/** Directives that are not copied, because they belong to one cell or are written again. */
const NOT_COPIED: ReadonlySet<string> = new Set(['loop', 'loop_until', 'name']);

/**
 * The source of a loop that continues from an iteration of another one: the same text with its own @loop
 * (docs/spec/analysis-and-graph.md, 3.5). Null if the source is not a loop with a carry.
 */
export function withLoopStart(
  source: string,
  start: { readonly cellId: string; readonly iteration: number },
): string | null {
  const { loop } = parseAnnotations(source, 'python');
  if (loop === null || loop.carry === '') return null;
  const end = source.includes('\r\n') ? '\r\n' : '\n';
  const removed = new Set(
    readDirectives(source)
      .filter(({ key }) => NOT_COPIED.has(key))
      .map(({ line }) => line - 1),
  );
  const rest = source.split(end).filter((_text, at) => !removed.has(at));
  const max = Math.max(1, loop.maxIter);
  return [
    `# @loop max_iter=${max} carry=${loop.carry} start_from=${start.cellId}@iter=${start.iteration}`,
    ...(loop.untilExpr === null ? [] : [`# @loop_until ${loop.untilExpr}`]),
    ...rest,
  ].join(end);
}
