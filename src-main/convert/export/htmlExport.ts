/** Writes the HTML export. */

import type { ExportView } from '../exportView.ts';
import { type Block, blocksOf, type RenderOptions } from './blocks.ts';
import { countWords } from './markdownExport.ts';
import { markdown as plain } from './markdownText.ts';

const { escapeHtml } = plain.utils;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
const LINK = /^(?:https?:|mailto:|#)/i;

/** Nothing in the page runs or loads anything: the policy allows no scripts, and pictures are embedded. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** fmt=html: one self-contained page (export-and-import 1, 2). */
export async function* htmlExport(view: ExportView, options: RenderOptions): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Cellar">
<title>${escapeHtml(view.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`);
  for await (const block of blocksOf(view, options)) yield Buffer.from(`${blockHtml(block)}\n`);
  yield Buffer.from('</main>\n</body>\n</html>\n');
}

function blockHtml(block: Block): string {
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
  const count = total === null ? '' : `<p class="note">${escapeHtml(countWords(rows.length, total))}</p>`;
  return `<div class="wide"><table><thead>${row(columns, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>${count}`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #60646c; --line: #e0e1e6; --soft: #f6f7f9; --paper: #fff;
  --bad: #b42318; --badSoft: #fef3f2; --link: #0b68cb; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --quiet: #b0b4ba; --line: #363a3f; --soft: #1f2225;
  --paper: #16181a; --bad: #ff9592; --badSoft: #3b1219; --link: #70b8ff; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 3rem 1.5rem 6rem; }
h1 { font-size: 1.9rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.05rem; }
a { color: var(--link); }
.chip { margin-left: .35rem; padding: .1rem .5rem; border: 1px solid var(--line); border-radius: 1rem;
  color: var(--quiet); font-size: .75rem; font-weight: 400; }
pre { overflow: auto; margin: .5rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--soft);
  font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
pre.source { border: 1px solid var(--line); }
pre.stdout, pre.stderr, pre.value { max-height: 32rem; background: none; border-left: 3px solid var(--line);
  border-radius: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.stderr { color: var(--quiet); }
pre.error { border-left: 3px solid var(--bad); border-radius: 0; background: var(--badSoft); color: var(--bad);
  white-space: pre-wrap; overflow-wrap: anywhere; }
.note { margin: .35rem 0; color: var(--quiet); font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
td { max-width: 30rem; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
.figure img { background: #fff; border-radius: .25rem; }
.text code { padding: .1rem .3rem; border-radius: .25rem; background: var(--soft); font-size: .9em; }
.text pre code { padding: 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
@media print { main { max-width: none; padding: 0; } pre { white-space: pre-wrap; max-height: none !important; } }
`;
