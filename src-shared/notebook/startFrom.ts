import { parseAnnotations } from './annotations.ts';
import { readDirectives } from './directives.ts';

/** Directives that are of one cell alone, or are written anew. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['loop', 'loop_until', 'name']);

/**
 * The source of a loop that goes on from an iteration of another one: the same text with a @loop of its own
 * (analysis-and-graph 3.5). Null where the source is no loop with a carry.
 */
export function startedFrom(
  source: string,
  start: { readonly cellId: string; readonly iteration: number },
): string | null {
  const { loop } = parseAnnotations(source, 'python');
  if (loop === null || loop.carry === '') return null;
  const end = source.includes('\r\n') ? '\r\n' : '\n';
  const gone = new Set(
    readDirectives(source)
      .filter(({ key }) => NOT_TAKEN.has(key))
      .map(({ line }) => line - 1),
  );
  const rest = source.split(end).filter((_text, at) => !gone.has(at));
  const max = Math.max(1, loop.maxIter);
  return [
    `# @loop max_iter=${max} carry=${loop.carry} start_from=${start.cellId}@iter=${start.iteration}`,
    ...(loop.untilExpr === null ? [] : [`# @loop_until ${loop.untilExpr}`]),
    ...rest,
  ].join(end);
}
