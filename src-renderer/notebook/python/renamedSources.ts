/**
 * Applies the edits of a renamed Python name, as the language server returned them, to the sources of the cells. Pure.
 */

import type { LanguageAnswer } from '../../../src-shared/wire/routes/language.ts';

type Edit = NonNullable<LanguageAnswer['edits']>[number];

/**
 * The texts of cells with their edits applied; each edit must begin at an occurrence of `name`.
 * @returns null if a text has changed since the request
 */
export function renamedSources(
  edits: readonly Edit[],
  name: string,
  sourceOf: (cellId: string) => string | undefined,
): ReadonlyMap<string, string> | null {
  const texts = new Map<string, string>();
  const backwards = [...edits].sort(
    (a, b) => b.span.start.line - a.span.start.line || b.span.start.character - a.span.start.character,
  );
  for (const { cell_id, span, text } of backwards) {
    const source = texts.get(cell_id) ?? sourceOf(cell_id);
    if (source === undefined) return null;
    const [from, to] = [offsetAt(source, span.start), offsetAt(source, span.end)];
    if (from === null || to === null || source.slice(from, to) !== name) return null;
    texts.set(cell_id, source.slice(0, from) + text + source.slice(to));
  }
  return texts;
}

function offsetAt(text: string, { line, character }: Edit['span']['start']): number | null {
  let at = 0;
  for (let remainingLines = line; remainingLines > 0; remainingLines -= 1) {
    const end = /\r\n|\r|\n/.exec(text.slice(at));
    if (end === null) return null;
    at += end.index + end[0].length;
  }
  return at + character <= text.length ? at + character : null;
}
