import type { NameReader } from '../analyzeCell.ts';

/** One `{{ … }}` of a prompt that may stand for a value. */
export interface Placeholder {
  /** As it is written, braces included: what stays where there is no such value. */
  readonly text: string;
  readonly root: string;
  readonly steps: readonly TemplateStep[];
}

/** `.name`, or `.name(arguments)`; null arguments: no call. */
export interface TemplateStep {
  readonly name: string;
  readonly arguments: string | null;
}

/** A prompt in pieces, in order: text that is sent as it is, and placeholders. */
export type TemplatePart = string | Placeholder;

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*';
const STEP = `\\s*\\.\\s*(${NAME})(?:\\(([^()]*)\\))?`;
const PLACEHOLDER = new RegExp(
  `\\{\\{\\s*(${NAME})((?:\\s*\\.\\s*${NAME}(?:\\([^()]*\\))?)*)\\s*\\}\\}`,
  'gu',
);

/** Names that are Python's and nobody's variable: a text about code may hold them between braces. */
const COMMON_BUILTINS: ReadonlySet<string> = new Set([
  ...['True', 'False', 'None', 'print', 'len', 'range', 'open', 'isinstance', 'super', 'type'],
  ...['str', 'int', 'float', 'bool', 'list', 'dict', 'set', 'tuple', 'object', 'bytes'],
  ...['abs', 'all', 'any', 'enumerate', 'map', 'max', 'min', 'round', 'sorted', 'sum', 'zip'],
]);

/** The prompt of a cell: what follows its leading blank and `#` lines (annotations 1.1). */
export function promptBody(source: string): string {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}

/** `{{ root(.attr(call)?)* }}` and the text between (analysis-and-graph 1.2); anything else in braces is text. */
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

/** The name an answer is kept under: @name where it is an identifier, else `result` (annotations 1.2, 2). */
export function promptVariable(name: string | null): string {
  return name !== null && new RegExp(`^${NAME}$`, 'u').test(name) ? name : 'result';
}

/** What a prompt cell defines and reads (analysis-and-graph 1.2). */
export const promptNames: NameReader = (source, annotations) => {
  const parts = parseTemplate(promptBody(source));
  const roots = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.root]));
  return {
    defines: [promptVariable(annotations.name)],
    references: [...new Set(roots)].filter((root) => !root.startsWith('_')).sort(),
  };
};
