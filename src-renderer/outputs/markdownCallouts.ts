/** Callouts in Markdown: a quote that starts with `[!NOTE]` or another kind gets a title and a colour, as on GitHub. */

import type { MarkdownIt } from 'markdown-it';
import { OUTPUT_WORDS } from '../words/outputs.ts';

const KIND = /^\[!(note|tip|important|warning|caution)\][ \t]*/i;

export function markdownCallouts(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'callouts', ({ tokens, Token }) => {
    for (const [at, token] of tokens.entries()) {
      const quote = tokens[at - 2];
      if (token.type !== 'inline' || quote?.type !== 'blockquote_open') continue;
      const [first, second] = token.children ?? [];
      const kind = first?.type === 'text' ? KIND.exec(first.content) : null;
      if (first === undefined || kind?.[1] === undefined) continue;
      first.content = first.content.slice(kind[0].length);
      // If the mark is alone on its line, the line break after it is removed too.
      if (first.content === '' && second?.type === 'softbreak') token.children?.splice(0, 2);
      const title = new Token('callout_title', 'span', 0);
      title.content = kind[1].toLowerCase();
      token.children?.unshift(title);
      quote.attrJoin('class', `callout callout-${title.content}`);
    }
  });
  markdown.renderer.rules['callout_title'] = (tokens, at) => {
    const kind = tokens[at]?.content ?? '';
    const words = OUTPUT_WORDS.callout[kind as keyof typeof OUTPUT_WORDS.callout] ?? kind;
    return `<strong class="callout-title">${markdown.utils.escapeHtml(words)}</strong>`;
  };
}
