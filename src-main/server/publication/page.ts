/** Makes the public HTML pages of a publication: its page, the result alone for embedding, and a badge. */

import type { Page } from '../../table/service/tableQuery.ts';
import { CLAIMS, fileTypeOf, type PublicationView, publicUrl } from './publicationView.ts';

/** The result of a publication as its page shows it. */
export type ShownResult =
  | { readonly kind: 'table'; readonly page: Extract<Page, { readonly pageable: true }> }
  | { readonly kind: 'image'; readonly dataUrl: string }
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'file'; readonly why: string };

/** The page runs and fetches nothing, whatever a title or value contains. */
export const PAGE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The page of a publication: result, authors, lineage as steps, and how to verify the download. */
export function publicationPage(view: PublicationView, result: ShownResult): string {
  const { publication, token, row } = view;
  const title = publication.title ?? `${row.id}, version ${row.version}`;
  const base = publicUrl(token);
  const facts = [
    ['Published', dateOf(publication.publishedAt)],
    ...(publication.publishedBy === null ? [] : [['Published by', publication.publishedBy]]),
    ...(row.rowCount === null ? [] : [['Rows', row.rowCount.toLocaleString('en-US')]]),
    ...(row.byteSize === null ? [] : [['Size', `${row.byteSize.toLocaleString('en-US')} bytes`]]),
    ['Artifact', `${row.id}, version ${row.version}`],
  ].map(([name = '', value = '']) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const digest = publication.contentSha256;
  const verify =
    digest === null
      ? '<p>No digest was recorded for this result.</p>'
      : `<p>SHA-256 of the data:</p><pre>${digest}</pre>
<p>Download the data and compare: <code>sha256sum ${escapeHtml(fileNameOf(view))}</code>. Or open <a href="${base}/verify">${base}/verify</a>,
which computes the digest of the stored bytes again.</p>`;
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
${authorsHtml(view)}
<section aria-label="Result">${resultHtml(result)}</section>
<p class="links"><a href="${base}/data" download>Download the data</a> <a href="${base}/archive.zip" download>Download the archive</a></p>
<dl>${facts.join('')}</dl>
<h2>How it was made</h2>
${stepsHtml(view)}
<h2>Verify</h2>
${verify}
<p class="note">${escapeHtml(CLAIMS.transparency)} ${escapeHtml(CLAIMS.reproduction)}</p>`,
  );
}

/** The page of a withdrawn publication. */
export function withdrawnPage(title: string | null, revokedAt: number): string {
  return page(
    title ?? 'Withdrawn',
    `<h1>${escapeHtml(title ?? 'Publication')}</h1>
<p>This publication was withdrawn on ${dateOf(revokedAt)}. Its data can no longer be downloaded.</p>`,
  );
}

/** The result alone, for other pages to embed. */
export function embedPage(view: PublicationView, result: ShownResult): string {
  const title = view.publication.title ?? view.row.id;
  return page(
    title,
    `${resultHtml(result)}
<p class="note"><a href="${publicUrl(view.token)}" target="_blank" rel="noopener">${escapeHtml(title)}</a></p>`,
  );
}

/** The badge of a publication as SVG: `verifiable` or `withdrawn`. */
export function badgeSvg(isWithdrawn: boolean): string {
  const [text, color, width] = isWithdrawn ? ['withdrawn', '#9f3a38', 74] : ['verifiable', '#2b7a4b', 70];
  const whole = 52 + width;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="result: ${text}">
<title>result: ${text}</title>
<rect width="${whole}" height="20" rx="3" fill="#555"/><rect x="52" width="${width}" height="20" rx="3" fill="${color}"/>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11"><text x="10" y="14">result</text><text x="59" y="14">${text}</text></g>
</svg>`;
}

/** The name of the data file in archives and downloads. */
export function fileNameOf({ row }: PublicationView): string {
  return `artifact.${fileTypeOf(row.contentType).extension}`;
}

function authorsHtml({ publication: { authors, externalIds } }: PublicationView): string {
  const names = authors.map(({ name, orcid, affiliation }) => {
    const link =
      orcid === undefined ? escapeHtml(name) : `<a href="https://orcid.org/${orcid}">${escapeHtml(name)}</a>`;
    return affiliation === undefined ? link : `${link} (${escapeHtml(affiliation)})`;
  });
  const ids = externalIds.map(({ scheme, value }) => `${escapeHtml(scheme)}: ${escapeHtml(value)}`);
  const lines = [names.join(', '), ids.join(' · ')].filter((line) => line !== '');
  return lines.map((line) => `<p class="note">${line}</p>`).join('\n');
}

function resultHtml(result: ShownResult): string {
  switch (result.kind) {
    case 'table': {
      const { columns, rows, total } = result.page;
      const row = (cells: readonly unknown[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cellText(cell))}</${tag}>`).join('')}</tr>`;
      const count =
        rows.length < total
          ? `Rows 1 to ${rows.length} of ${total.toLocaleString('en-US')}`
          : `${total.toLocaleString('en-US')} rows`;
      return `<div class="wide" tabindex="0"><table><thead>${row(columns, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div><p class="note">${count}</p>`;
    }
    case 'image':
      return `<img src="${result.dataUrl}" alt="The published figure">`;
    case 'text':
      return `<pre>${escapeHtml(result.text)}</pre>${result.isCut ? '<p class="note">The text continues in the download.</p>' : ''}`;
    case 'file':
      return `<p class="note">${escapeHtml(result.why)}</p>`;
    default:
      return result satisfies never;
  }
}

/** Inputs first, the result last. */
function stepsHtml({ lineage }: PublicationView): string {
  const steps = lineage.nodes.toReversed().map(({ uri, type, transform_ref, created_at, source }) => {
    const when = created_at === undefined ? '' : `, ${dateOf(created_at)}`;
    const what = transform_ref === undefined ? type : transform_ref;
    const code = source === undefined ? '' : `<pre>${escapeHtml(source)}</pre>`;
    return `<li><code>${escapeHtml(uri)}</code> <span class="note">${escapeHtml(what)}${when}</span>${code}</li>`;
  });
  return `<ol>${steps.join('\n')}</ol>`;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function dateOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Text with the characters that have a meaning in HTML escaped. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #60646c; --line: #e0e1e6; --soft: #f6f7f9; --paper: #fff; --link: #0b68cb; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --quiet: #b0b4ba; --line: #363a3f; --soft: #1f2225;
  --paper: #16181a; --link: #70b8ff; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.1rem; }
a { color: var(--link); }
.note { color: var(--quiet); font-size: .875rem; }
.links a { margin-right: 1.5rem; }
.wide { overflow: auto; max-height: 32rem; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; min-width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .75rem; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { position: sticky; top: 0; background: var(--soft); }
img { max-width: 100%; background: #fff; }
pre { overflow: auto; padding: .75rem 1rem; border-radius: .5rem; background: var(--soft); font: 13px/1.55 ui-monospace, Menlo, Consolas, monospace; }
code { font: .875em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; font-size: .875rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
li { margin: .5rem 0; }
@media print { .links { display: none; } .wide { max-height: none; overflow: visible; } }
`;
