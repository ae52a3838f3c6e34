/** Replaces `{{ name }}` in Markdown by the value of a variable of the notebook. */

import type { MarkdownIt } from 'markdown-it';
import { OUTPUT_WORDS } from '../words/outputs.ts';

/** The value of a variable to show in a text. */
export interface ShownValue {
  readonly text: string;
  /** Whether the value is of an earlier run, because its cell is not up to date. */
  readonly isOld: boolean;
  /** The cell that defines the variable. */
  readonly cellId: string;
}

/** What a text of the notebook can show in addition to its own words. */
export interface MarkdownContext {
  /** The value of a variable; null if no cell defines it. Absent: `{{ name }}` is not replaced. */
  readonly value?: ((name: string) => ShownValue | null) | undefined;
  /** The URL of a picture in the notebook's folder. Absent: only pictures inside the text are shown. */
  readonly picture?: ((path: string) => string) | undefined;
}

const VALUE = /^\{\{[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*\}\}/u;

/** The `around` that `renderMarkdown` passes to the parser's rules. */
export function contextOfEnv(env: unknown): MarkdownContext | undefined {
  return (env as { readonly around?: MarkdownContext } | undefined)?.around;
}

/**
 * Replaces `{{ name }}` by the variable's value, as a link to the cell that defines it. Nothing is computed: anything
 * but a name stays as it is written.
 */
export function markdownValues(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'values', (state, silent) => {
    if (contextOfEnv(state.env)?.value === undefined) return false;
    const match = VALUE.exec(state.src.slice(state.pos, state.posMax));
    if (match?.[1] === undefined) return false;
    if (!silent) {
      const token = state.push('value', '', 0);
      token.content = match[1];
      token.markup = match[0];
    }
    state.pos += match[0].length;
    return true;
  });
  markdown.renderer.rules['value'] = (tokens, at, _options, env) => {
    const { content: name = '', markup = '' } = tokens[at] ?? {};
    const escaped = (text: string): string => markdown.utils.escapeHtml(text);
    const valueText = contextOfEnv(env)?.value?.(name) ?? null;
    if (valueText === null) {
      return `<span class="value-missing" title="${escaped(OUTPUT_WORDS.noSuchValue(name))}">${escaped(markup)}</span>`;
    }
    const { text, isOld, cellId } = valueText;
    const title = isOld ? OUTPUT_WORDS.oldValue(name) : OUTPUT_WORDS.valueOf(name);
    const link = `#cell:${encodeURIComponent(cellId)}`;
    return `<a class="${isOld ? 'value value-old' : 'value'}" href="${escaped(link)}" title="${escaped(title)}">${escaped(text)}</a>`;
  };
}
