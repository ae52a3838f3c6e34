/** Styles of HTML exports in the layout of the app view. Nothing in them needs a script. */

import type { AppKind } from '../../../src-shared/wire/appLayout.ts';

const EVERY = `
.cell { min-width: 0; }
.cell > :first-child, .cell > .text > :first-child { margin-top: 0; }
.cell > :last-child, .cell > .text > :last-child { margin-bottom: 0; }
.cell pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.paper { display: none; }
@media print { .cell { break-inside: avoid; } }
`;

const PAGE = `
.cell + .cell { margin-top: 1.5rem; }
`;

/** Rows are at least as high as in the window, and grow with what they hold, so that nothing is hidden. */
const GRID = `
main { max-width: 80rem; padding-top: 2rem; }
.grid { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); grid-auto-rows: minmax(30px, auto); gap: 16px; }
.cell { padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
@media (max-width: 720px) { .grid { display: block; } .cell + .cell { margin-top: 1rem; } }
@media print { .grid { display: block; } .cell { padding: 0; border: 0; } .cell + .cell { margin-top: 1.5rem; } }
`;

const TABS = `
main { max-width: 80rem; padding-top: 2rem; }
.tabs { position: relative; display: flex; flex-wrap: wrap; }
.tabs > input { position: absolute; width: 1px; height: 1px; margin: 0; opacity: 0; }
.tabs > label { order: 1; padding: .5rem 1rem; border-bottom: 2px solid transparent; color: var(--quiet); cursor: pointer;
  overflow-wrap: anywhere; }
.tabs > label:hover { color: var(--ink); }
.tabs > input:checked + label { border-bottom-color: var(--link); color: var(--ink); font-weight: 600; }
.tabs > input:focus-visible + label { outline: 2px solid var(--link); outline-offset: -2px; border-radius: .25rem; }
.tab { display: none; order: 2; flex: 0 0 100%; min-width: 0; margin-top: -1px; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.tabs > input:checked + label + .tab { display: block; }
.cell + .cell { margin-top: 1.5rem; }
@media print {
  .tabs { display: block; }
  .tabs > input, .tabs > label { display: none; }
  .tabs > .tab, .tabs > input:checked + label + .tab { display: block; padding-top: 0; border: 0; }
  .tab + input + label + .tab { margin-top: 2rem; }
  .paper { display: block; font-size: 1.4rem; break-after: avoid; }
}
`;

const SLIDES = `
html { scroll-snap-type: y mandatory; }
main { max-width: none; padding: 0; }
.slide { display: flex; flex-direction: column; box-sizing: border-box; min-height: 100vh; padding: 2.5rem 1.5rem .75rem;
  scroll-snap-align: start; font-size: 1.125rem; }
.slide-body { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; gap: 1.5rem; width: 100%;
  max-width: 65rem; margin: 0 auto; }
.slide h1 { font-size: 2.5rem; line-height: 1.2; }
.slide h2 { margin-top: 0; font-size: 2rem; line-height: 1.25; }
.slide h3 { font-size: 1.5rem; }
.slide table, .slide pre, .slide .note { font-size: 1rem; }
.slide .figure { text-align: center; }
.slide .figure img { max-height: 70vh; }
.slide-bar { display: flex; align-items: center; justify-content: flex-end; gap: .5rem; width: 100%; max-width: 65rem;
  margin: 1rem auto 0; color: var(--quiet); font-size: .875rem; font-variant-numeric: tabular-nums; }
.slide-title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.slide-number { min-width: 3.5rem; text-align: center; }
.slide-link { display: inline-grid; place-items: center; width: 2rem; height: 2rem; border: 1px solid var(--line);
  border-radius: .375rem; color: var(--ink); font-size: 1.1rem; line-height: 1; text-decoration: none; }
a.slide-link:hover { background: var(--soft); }
span.slide-link { visibility: hidden; }
@page { size: landscape; }
@media print {
  .slide { display: block; min-height: 0; padding: 0; break-after: page; }
  .slide:last-child { break-after: auto; }
  .slide-bar { display: none; }
  .slide table, .slide pre { font-size: .875rem; }
  .cell { break-inside: auto; }
}
`;

/** The styles of a layout, in addition to those of every HTML export. */
export function appStyle(kind: AppKind): string {
  return EVERY + { page: PAGE, grid: GRID, tabs: TABS, slides: SLIDES }[kind];
}
