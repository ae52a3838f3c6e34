/**
 * Hides HTML comments (`<!-- … -->`) in Markdown, on their own lines or within one: the editor's comment key
 * inserts them. Other markup and unclosed comments stay text.
 */

import type MarkdownIt from 'markdown-it';

const OPENS = '<!--';
const CLOSES = '-->';

export function leaveOutComments(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.block.ruler.before(
    'paragraph',
    'comment',
    (state, startLine, endLine, silent) => {
      const begin = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4 || !state.src.startsWith(OPENS, begin))
        return false;
      for (let line = startLine; line < endLine; line += 1) {
        const from = line === startLine ? begin + OPENS.length : (state.bMarks[line] ?? 0);
        const closes = state.src.slice(from, state.eMarks[line]).indexOf(CLOSES);
        if (closes === -1) continue;
        // If text follows on the same line, the line is a paragraph with a comment inside.
        if (state.src.slice(from + closes + CLOSES.length, state.eMarks[line]).trim() !== '') return false;
        if (!silent) state.line = line + 1;
        return true;
      }
      return false;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  markdown.inline.ruler.before('autolink', 'comment', (state) => {
    if (!state.src.startsWith(OPENS, state.pos)) return false;
    const closes = state.src.indexOf(CLOSES, state.pos + OPENS.length);
    if (closes === -1) return false;
    state.pos = closes + CLOSES.length;
    return true;
  });
}
