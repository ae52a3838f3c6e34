/** The slides of an app view: which cells are on each, and in which order the slides are shown. */

import type { AppLayout } from '../../wire/appLayout.ts';

/**
 * Cells in the order in which slides show them. Listed cells are in the order of the list; a cell that is not listed
 * directly follows the cell before it in the notebook, and those before the first listed cell are first. If an id is
 * listed twice, its first place counts. Ids without a cell keep their place, so that a stored list still has them.
 * @param order all cells of the notebook, in its order
 */
export function slideOrder(order: readonly string[], list: readonly string[]): readonly string[] {
  const first: string[] = [];
  const runs = new Map<string, string[]>(list.map((id) => [id, []]));
  let run = first;
  for (const id of order) {
    run = runs.get(id) ?? run;
    run.push(id);
  }
  return [...first, ...Array.from(runs, ([id, cells]) => (cells.length === 0 ? [id] : cells)).flat()];
}

/**
 * The slides of an app view: each cell begins one, unless it joins the slide of the cell before it.
 * @param ids the cells of the app
 * @param order all cells of the notebook, in its order
 */
export function slidesOf(
  ids: readonly string[],
  { cells, slides: list = [] }: Pick<AppLayout, 'cells' | 'slides'>,
  order: readonly string[],
): readonly (readonly string[])[] {
  const inApp = new Set(ids);
  const slides: string[][] = [];
  for (const id of slideOrder(order, list)) {
    if (!inApp.has(id)) continue;
    const last = slides.at(-1);
    if (last !== undefined && cells[id]?.slide === 'join') last.push(id);
    else slides.push([id]);
  }
  return slides;
}
