/** Adds task lists (`- [ ] to do`, `- [x] done`) to the Markdown parser. */

import type { MarkdownIt } from 'markdown-it';
import { OUTPUT_WORDS } from '../words/outputs.ts';

/**
 * Adds the rule to the parser. Tasks are drawn as marks that screen readers read, not as check boxes, because only the
 * text can change them.
 */
export function markdownTasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
    for (const [at, token] of tokens.entries()) {
      const item = tokens[at - 2];
      if (token.type !== 'inline' || item?.type !== 'list_item_open') continue;
      const [first] = token.children ?? [];
      const mark = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null;
      if (first === undefined || mark === null) continue;
      first.content = first.content.slice(mark[0].length);
      const box = new Token('task_mark', 'span', 0);
      box.content = mark[1] === ' ' ? 'open' : 'done';
      token.children?.unshift(box);
      item.attrJoin('class', 'task');
    }
  });
  markdown.renderer.rules['task_mark'] = (tokens, at) => {
    const isDone = tokens[at]?.content === 'done';
    const label = isDone ? OUTPUT_WORDS.taskDone : OUTPUT_WORDS.taskOpen;
    return `<span class="task-mark" data-done="${isDone}" role="img" aria-label="${label}"></span>`;
  };
}
