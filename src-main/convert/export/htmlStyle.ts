/** The CSS of a notebook's HTML export. */

import type { AppLayout } from '../../../src-shared/wire/appLayout.ts';

const LIGHT = `--ink: #1c2024; --quiet: #60646c; --line: #e0e1e6; --soft: #f6f7f9; --paper: #fff;
  --bad: #b42318; --badSoft: #fef3f2; --link: #0b68cb;`;
const DARK = `--ink: #edeef0; --quiet: #b0b4ba; --line: #363a3f; --soft: #1f2225;
  --paper: #16181a; --bad: #ff9592; --badSoft: #3b1219; --link: #70b8ff;`;

/** The colours of a theme. Without a fixed theme they follow the reader's system. On paper they are always light. */
function coloursOf(theme: AppLayout['theme']): string {
  if (theme === 'light') return `:root { color-scheme: light; ${LIGHT} }`;
  const paper = `@media print { :root { color-scheme: light; ${LIGHT} } }`;
  if (theme === 'dark') return `:root { color-scheme: dark; ${DARK} }\n${paper}`;
  const system = `@media (prefers-color-scheme: dark) { :root { ${DARK} } }`;
  return `:root { color-scheme: light dark; ${LIGHT} }\n${system}\n${paper}`;
}

/** The style sheet of an export. @param more styles of a layout */
export function htmlStyle(theme: AppLayout['theme'], more = ''): string {
  return `\n${coloursOf(theme)}${STYLE}${more}`;
}

const STYLE = `
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
