/** Values in Markdown: `{{ name }}`. */

import type { MarkdownIt } from 'markdown-it';
import { OUTPUT_WORDS } from '../words/outputs.ts';

/** The value of a variable as a text shows it. */
export interface ShownValue {
  readonly text: string;
  /** It is of an earlier run: its cell is not up to date. */
  readonly isOld: boolean;
  /** The cell that defines it. */
  readonly cellId: string;
}

/** What a text is drawn with, beside its own words. */
export interface MarkdownContext {
  /** The value of a variable; null: no cell has given it. Absent: the text has no values. */
  readonly value?: ((name: string) => ShownValue | null) | undefined;
  /** The address of a picture in the notebook's folder. Absent: only pictures inside the text are shown. */
  readonly picture?: ((path: string) => string) | undefined;
}

const VALUE = /^\{\{[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*\}\}/u;

/** What `renderMarkdown` passes on to the rules. */
export function contextOfEnv(env: unknown): MarkdownContext | undefined {
  return (env as { readonly around?: MarkdownContext } | undefined)?.around;
}

/**
 * `{{ name }}` is the value that a cell gave the variable: a link to that cell with the value as text. Nothing is
 * computed: anything but a name stays as it is written.
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
