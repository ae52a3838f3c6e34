/** Computes the edit that stores an app view's slides in another order, after a slide was moved. */

import { slideOrder, slidesOf } from '../../../src-shared/notebook/app/slides.ts';
import type { AppEdit, AppLayout } from '../../../src-shared/wire/appLayout.ts';

/** What determines the order of slides. */
interface SlideSource {
  /** The cells of the app, in notebook order. */
  readonly ids: readonly string[];
  /** All cells of the notebook, in its order. */
  readonly order: readonly string[];
  readonly layout: Pick<AppLayout, 'cells' | 'slides'>;
}

/**
 * The edit that moves the slide at `from` to the place `to`, both from 0. A cell that is not in the app, or a listed id
 * without a cell, stays after the cell that it follows. The notebook's own order is stored as null, not as a list.
 */
export function moveSlide({ ids, order, layout }: SlideSource, from: number, to: number): AppEdit {
  const slides = slidesOf(ids, layout, order);
  const slide = slides[from];
  if (slide === undefined || slides[to] === undefined || from === to) return {};
  const rest = slides.filter((one) => one !== slide);
  const after = [...rest.slice(0, to), slide, ...rest.slice(to)];
  const starts = new Set(after.map(([id]) => id));
  const whole = inBlocks(slideOrder(order, layout.slides ?? []), starts, after);
  // The first slide may begin with a cell marked to join the slide before it: elsewhere the mark would take effect.
  const joining = after.slice(1).flatMap(([id]) => (id !== undefined && joins(layout, id) ? [id] : []));
  return {
    slides: listOf(whole, order, starts),
    ...(joining.length === 0
      ? {}
      : { cells: Object.fromEntries(joining.map((id) => [id, { slide: null }])) }),
  };
}

function joins({ cells }: Pick<AppLayout, 'cells'>, id: string): boolean {
  return cells[id]?.slide === 'join';
}

/** All ids, split where a slide begins and joined in the order of the slides. */
function inBlocks(
  all: readonly string[],
  starts: ReadonlySet<string | undefined>,
  slides: readonly (readonly string[])[],
): readonly string[] {
  const first: string[] = [];
  const blocks = new Map<string, string[]>();
  let block = first;
  for (const id of all) {
    if (starts.has(id)) {
      block = [];
      blocks.set(id, block);
    }
    block.push(id);
  }
  return [...first, ...slides.flatMap(([id]) => blocks.get(id ?? '') ?? [])];
}

/**
 * The list to store for this order: the first cell of each slide, and each cell that no longer follows the cell that
 * precedes it in the notebook; null for the notebook's own order.
 */
function listOf(
  whole: readonly string[],
  order: readonly string[],
  starts: ReadonlySet<string | undefined>,
): string[] | null {
  if (whole.length === order.length && whole.every((id, at) => id === order[at])) return null;
  const before = new Map(order.map((id, at) => [id, order[at - 1]]));
  return whole.filter((id, at) => starts.has(id) || !before.has(id) || before.get(id) !== whole[at - 1]);
}
