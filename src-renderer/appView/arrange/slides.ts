import type { AppLayout } from '../../../src-shared/wire/appLayout.ts';

/** The slides of an app view, in notebook order: each cell begins one, unless it joins the slide of the cell before it. */
export function slidesOf(
  ids: readonly string[],
  { cells }: Pick<AppLayout, 'cells'>,
): readonly (readonly string[])[] {
  const slides: string[][] = [];
  for (const id of ids) {
    const last = slides.at(-1);
    if (last !== undefined && cells[id]?.slide === 'join') last.push(id);
    else slides.push([id]);
  }
  return slides;
}

/** Where a key leads from a slide, both from 0; null: the key is no command of a slide show. */
export function slideAfterKey(key: string, at: number, count: number): number | null {
  const last = Math.max(count - 1, 0);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
    case 'PageDown':
    case ' ':
      return Math.min(at + 1, last);
    case 'ArrowLeft':
    case 'ArrowUp':
    case 'PageUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
