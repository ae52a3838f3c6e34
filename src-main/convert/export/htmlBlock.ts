/** Writes the blocks of a readable export as HTML. */

import type { Block } from './blocks.ts';
import { rowCountText } from './markdownExport.ts';
import { markdown as plain } from './markdownText.ts';

export const { escapeHtml } = plain.utils;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
const LINK = /^(?:https?:|mailto:|#)/i;

/** A part of a notebook as HTML; nothing in it runs or loads anything. */
export function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `<h1>${escapeHtml(block.text)}</h1>`;
    case 'markdown':
      return `<section class="text">${markdownHtml(block.text)}</section>`;
    case 'heading':
      return `<h2>${escapeHtml(block.text)}${block.chips.map((chip) => ` <span class="chip">${escapeHtml(chip)}</span>`).join('')}</h2>`;
    case 'code':
      return `<pre class="source"><code class="language-${escapeHtml(block.language)}">${escapeHtml(block.text)}</code></pre>`;
    case 'table':
      return tableHtml(block);
    case 'image':
      return `<p class="figure"><img src="${escapeHtml(block.dataUrl)}" alt="${escapeHtml(block.alt)}"></p>`;
    case 'text':
      return `<pre class="${block.role}">${escapeHtml(block.text)}</pre>`;
    case 'json':
      return `<pre class="value"><code class="language-json">${escapeHtml(block.text)}</code></pre>`;
    case 'note':
      return `<p class="note">${escapeHtml(block.text)}</p>`;
    default:
      return block satisfies never;
  }
}

/** Markdown without raw HTML; links open in a new tab, external pictures become links. */
function markdownHtml(text: string): string {
  const tokens = plain.parse(text, {});
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const href = String(token.attrGet('href') ?? '');
        token.attrs = LINK.test(href) ? [['href', href]] : [];
        if (LINK.test(href) && !href.startsWith('#')) {
          token.attrSet('target', '_blank');
          token.attrSet('rel', 'noopener noreferrer');
        }
      }
      if (token.type === 'image' && !PICTURE.test(String(token.attrGet('src') ?? ''))) {
        token.type = 'text';
        token.content = `${token.content} (${String(token.attrGet('src') ?? '')})`.trim();
        token.children = null;
      }
    }
  }
  return plain.renderer.render(tokens, plain.options, {});
}

function tableHtml({ columns, rows, total }: Extract<Block, { readonly kind: 'table' }>): string {
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const count = total === null ? '' : `<p class="note">${escapeHtml(rowCountText(rows.length, total))}</p>`;
  return `<div class="wide" tabindex="0"><table><thead>${row(columns, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>${count}`;
}
