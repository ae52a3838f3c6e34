/** Writes a notebook as one self-contained HTML page (`fmt=html`). */

import type { ExportView } from '../exportView.ts';
import { appHtml } from './appHtml.ts';
import { appStyle } from './appStyle.ts';
import { blocksOf, type RenderOptions } from './blocks.ts';
import { blockHtml, escapeHtml } from './htmlBlock.ts';
import { htmlStyle } from './htmlStyle.ts';

/** The page's content security policy: it runs no scripts and loads nothing; pictures are embedded. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The HTML export (docs/spec/export-and-import.md, 1), or the app view in its layout (docs/apps.md), in pieces. */
export async function* htmlExport(view: ExportView, options: RenderOptions): AsyncGenerator<Uint8Array> {
  const { app } = view;
  const title = options.appLayout ? (app.title ?? view.name) : view.name;
  const style = options.appLayout
    ? htmlStyle(app.theme, appStyle(app.layout ?? 'page'))
    : htmlStyle('system');
  yield Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Cellar">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`);
  const body = options.appLayout ? appHtml(view, options) : pageHtml(view, options);
  for await (const piece of body) yield Buffer.from(piece);
  yield Buffer.from('</body>\n</html>\n');
}

async function* pageHtml(view: ExportView, options: RenderOptions): AsyncGenerator<string> {
  yield '<main>\n';
  for await (const block of blocksOf(view, options)) yield `${blockHtml(block)}\n`;
  yield '</main>\n';
}
