import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/**
 * Adds formulas to the Markdown parser: `$…$` inline and `$$…$$` on lines of their own. A dollar sign that could be
 * money does not count: the opening one must precede a character, the closing one must follow one and not precede a
 * digit. A formula is marked with its TeX as text; `typeset` renders it once it is in the page.
 */
export function markdownMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.after('escape', 'math', readInline);
  markdown.block.ruler.after('blockquote', 'math', readBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  const mark = (kind: 'inline' | 'block', tex: string): string =>
    `<span class="math" data-math="${kind}">${markdown.utils.escapeHtml(tex)}</span>`;
  markdown.renderer.rules['math_inline'] = (tokens, at) => mark('inline', tokens[at]?.content ?? '');
  markdown.renderer.rules['math_block'] = (tokens, at) =>
    `<p>${mark('block', tokens[at]?.content ?? '')}</p>\n`;
}

function readInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '$') return false;
  const isDouble = src[pos + 1] === '$';
  const fence = isDouble ? '$$' : '$';
  const from = pos + fence.length;
  if (!isDouble && /^(?:\s|\$|$)/.test(src.slice(from, from + 1))) return false;
  const end = closing(src, from, fence);
  if (end === -1) return false;
  const tex = src.slice(from, end);
  if (tex.trim() === '') return false;
  if (!isDouble && (/\s$/.test(tex) || /\d/.test(src[end + 1] ?? ''))) return false;
  if (!silent) {
    const token = state.push('math_inline', 'span', 0);
    token.content = tex.trim();
  }
  state.pos = end + fence.length;
  return true;
}

/** The offset of the closing fence; a dollar after a backslash is part of the formula. */
function closing(src: string, from: number, fence: string): number {
  for (let at = src.indexOf(fence, from); at !== -1; at = src.indexOf(fence, at + 1)) {
    let slashes = 0;
    while (src[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

// The signature is that of a block rule of the parser.
function readBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number): string =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const first = lineOf(startLine);
  if (!first.startsWith('$$')) return false;
  const lines: string[] = [];
  let line = startLine;
  let rest = first.slice(2);
  for (;;) {
    const end = closing(rest, 0, '$$');
    if (end !== -1) {
      // If text follows the formula, it is not a block.
      if (rest.slice(end + 2).trim() !== '') return false;
      lines.push(rest.slice(0, end));
      break;
    }
    lines.push(rest);
    line += 1;
    if (line >= endLine || (state.sCount[line] ?? 0) < state.blkIndent) return false;
    rest = lineOf(line);
  }
  const tex = lines.join('\n').trim();
  if (tex === '') return false;
  if (silent) return true;
  const token = state.push('math_block', 'p', 0);
  token.block = true;
  token.content = tex;
  token.map = [startLine, line + 1];
  state.line = line + 1;
  return true;
}
