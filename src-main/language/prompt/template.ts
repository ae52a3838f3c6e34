/** Parses the template of a prompt cell: its placeholders, and the names it reads and defines. */

import type { Annotations } from '../../../src-shared/notebook/annotation.ts';
import type { CellText } from '../cellReader.ts';

/** One `{{ … }}` of a prompt that may refer to a value. */
export interface Placeholder {
  /** The original text with its braces; sent unchanged if there is no such value. */
  readonly text: string;
  readonly root: string;
  readonly steps: readonly TemplateStep[];
}

/** A step of a placeholder: `.name`, or `.name(arguments)`. Null arguments: not a call. */
interface TemplateStep {
  readonly name: string;
  readonly arguments: string | null;
}

/** A piece of a prompt: text that is sent unchanged, or a placeholder. */
export type TemplatePart = string | Placeholder;

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*';
const STEP = `\\s*\\.\\s*(${NAME})(?:\\(([^()]*)\\))?`;
const PLACEHOLDER = new RegExp(
  `\\{\\{\\s*(${NAME})((?:\\s*\\.\\s*${NAME}(?:\\([^()]*\\))?)*)\\s*\\}\\}`,
  'gu',
);

/** Python builtins that a prompt about code may contain in braces; never read as variables. */
const COMMON_BUILTINS: ReadonlySet<string> = new Set([
  ...['True', 'False', 'None', 'print', 'len', 'range', 'open', 'isinstance', 'super', 'type'],
  ...['str', 'int', 'float', 'bool', 'list', 'dict', 'set', 'tuple', 'object', 'bytes'],
  ...['abs', 'all', 'any', 'enumerate', 'map', 'max', 'min', 'round', 'sorted', 'sum', 'zip'],
]);

/** The prompt of a cell: the source after its leading blank and `#` lines (docs/spec/annotations.md, 1.1). */
export function promptBody(source: string): string {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}

/**
 * Splits a prompt at its placeholders `{{ root(.attr(call)?)* }}` (docs/spec/analysis-and-graph.md, 1.2). Anything else
 * in braces is text.
 */
export function parseTemplate(body: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of body.matchAll(PLACEHOLDER)) {
    const [text, root = '', chain = ''] = match;
    if (match.index > from) parts.push(body.slice(from, match.index));
    parts.push(COMMON_BUILTINS.has(root) ? text : { text, root, steps: stepsOf(chain) });
    from = match.index + text.length;
  }
  if (from < body.length) parts.push(body.slice(from));
  return parts;
}

function stepsOf(chain: string): readonly TemplateStep[] {
  return Array.from(chain.matchAll(new RegExp(STEP, 'gu')), ([, name = '', call]) => ({
    name,
    arguments: call ?? null,
  }));
}

/**
 * The variable an answer is stored as: @name if it is an identifier, else `result` (docs/spec/annotations.md, 1.2, 2).
 */
export function promptVariable(name: string | null): string {
  return name !== null && new RegExp(`^${NAME}$`, 'u').test(name) ? name : 'result';
}

/** The names that a prompt cell defines and reads (docs/spec/analysis-and-graph.md, 1.2). */
export function promptNames(
  source: string,
  { name }: Pick<Annotations, 'name'>,
): Pick<CellText, 'defines' | 'references'> {
  const parts = parseTemplate(promptBody(source));
  const roots = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.root]));
  return {
    defines: [promptVariable(name)],
    references: [...new Set(roots)].filter((root) => !root.startsWith('_')).sort(),
  };
}
