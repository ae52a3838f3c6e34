/** The body of an HTML export in the layout of the app view (docs/apps.md): it works by CSS alone. */

import { type GridItem, gridOf, readingOrder } from '../../../src-shared/notebook/app/grid.ts';
import { gridCellsOf } from '../../../src-shared/notebook/app/gridCells.ts';
import { slidesOf } from '../../../src-shared/notebook/app/slides.ts';
import { tabCellsOf } from '../../../src-shared/notebook/app/tabCells.ts';
import { FIRST_TAB, tabsOf } from '../../../src-shared/notebook/app/tabs.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { appCellBlocks, appCellName } from './appBlocks.ts';
import { exportedCells, type RenderOptions } from './blocks.ts';
import { blockHtml, escapeHtml } from './htmlBlock.ts';

type Pieces = AsyncGenerator<string>;

/** A cell, by its id, as HTML. */
type Draw = (id: string, place?: string) => Pieces;

/**
 * The cells of the app as a page, a grid, slides or tabs; each is rendered when the reader of the export gets to it.
 */
export async function* appHtml(view: ExportView, options: RenderOptions): Pieces {
  const parts = exportedCells(view, { ...options, appView: true });
  const title = view.app.title ?? view.name;
  if (parts.length === 0) {
    yield `<main>\n<h1>${escapeHtml(title)}</h1>\n<p class="note">This app shows no cells.</p>\n</main>\n`;
    return;
  }
  const byId = new Map(parts.map((exported) => [exported.cell.id, exported]));
  const draw: Draw = async function* (id, place) {
    const exported = byId.get(id);
    if (exported !== undefined) yield* cellHtml(view, { exported, options, place });
  };
  const kind = view.app.layout ?? 'page';
  if (kind === 'slides') {
    yield* slidesHtml(view, { ids: [...byId.keys()], title, draw });
    return;
  }
  yield `<main>\n<h1>${escapeHtml(title)}</h1>\n`;
  if (kind === 'grid') yield* gridHtml(view, parts, draw);
  else if (kind === 'tabs') yield* tabsHtml(view, new Set(byId.keys()), draw);
  else for (const id of byId.keys()) yield* draw(id);
  yield '</main>\n';
}

async function* cellHtml(
  view: ExportView,
  part: {
    readonly exported: ExportedCell;
    readonly options: RenderOptions;
    /** CSS of its place. */
    readonly place: string | undefined;
  },
): Pieces {
  const { exported, options, place } = part;
  const style = place === undefined ? '' : ` style="${place}"`;
  yield `<article class="cell" aria-label="${escapeHtml(appCellName(exported))}"${style}>\n`;
  for await (const block of appCellBlocks(view, exported, options)) yield `${blockHtml(block)}\n`;
  yield '</article>\n';
}

/**
 * The cells of a grid in reading order, which is the order of one column and of a screen reader. A cell without a place
 * is below the others, as high as what it shows.
 */
async function* gridHtml({ app }: ExportView, parts: readonly ExportedCell[], draw: Draw): Pieces {
  const items = gridOf(
    gridCellsOf(
      parts.map(({ cell }) => cell),
      app,
    ),
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  yield '<div class="grid">\n';
  for (const id of readingOrder(items)) {
    const isPlaced = app.cells[id]?.grid !== undefined;
    yield* draw(id, isPlaced ? placeOf(byId.get(id)) : 'grid-column: 1 / -1');
  }
  yield '</div>\n';
}

function placeOf(item: GridItem | undefined): string | undefined {
  if (item === undefined) return undefined;
  return `grid-area: ${item.y + 1} / ${item.x + 1} / span ${item.h} / span ${item.w}`;
}

/** Tabs are radio buttons: arrow keys change them, and CSS shows the section after the one that is checked. */
async function* tabsHtml({ app, cells }: ExportView, ids: ReadonlySet<string>, draw: Draw): Pieces {
  const all = cells.map(({ cell }) => cell);
  yield '<div class="tabs" role="group" aria-label="Tabs">\n';
  for (const [at, tab] of tabsOf(tabCellsOf(all, ids), app, FIRST_TAB).entries()) {
    const name = escapeHtml(tab.name);
    const id = `tab-${at + 1}`;
    yield `<input type="radio" name="tab" id="${id}"${at === 0 ? ' checked' : ''}><label for="${id}">${name}</label>\n`;
    yield `<section class="tab" aria-label="${name}">\n<h2 class="paper">${name}</h2>\n`;
    for (const cellId of tab.ids) yield* draw(cellId);
    yield '</section>\n';
  }
  yield '</div>\n';
}

/** The slides of the app, one below the other; scrolling stops at each. Links lead to the slides beside it. */
async function* slidesHtml(
  { app, cells }: ExportView,
  show: { readonly ids: readonly string[]; readonly title: string; readonly draw: Draw },
): Pieces {
  const { ids, draw } = show;
  const title = escapeHtml(show.title);
  const order = cells.map(({ cell }) => cell.id);
  const slides = slidesOf(ids, app, order);
  yield `<main>\n<h1 class="unseen">${title}</h1>\n`;
  for (const [at, slide] of slides.entries()) {
    const number = at + 1;
    const count = slides.length;
    yield `<section class="slide" id="slide-${number}" aria-roledescription="slide" aria-label="Slide ${number} of ${count}">\n<div class="slide-body">\n`;
    for (const id of slide) yield* draw(id);
    yield `</div>\n<p class="slide-bar"><span class="slide-title">${title}</span>${linkTo(number - 1, count, 'Previous')}<span class="slide-number">${number} / ${count}</span>${linkTo(number + 1, count, 'Next')}</p>\n</section>\n`;
  }
  yield '</main>\n';
}

/** A link to the slide beside this one; the first and the last slide have an empty space instead. */
function linkTo(number: number, count: number, which: 'Previous' | 'Next'): string {
  const mark = which === 'Previous' ? '‹' : '›';
  if (number < 1 || number > count) return `<span class="slide-link" aria-hidden="true">${mark}</span>`;
  return `<a class="slide-link" href="#slide-${number}" aria-label="${which} slide">${mark}</a>`;
}
