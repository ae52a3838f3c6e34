/** Shapes of distribution bars. */

import type { Bar } from './distribution.ts';

/** Height of the highest bar, in CSS px. */
export const BAR_HEIGHT = 18;
const MAX_WIDTH = 120;
/** From one bar to the next, the gap within; few bars are no beams, and thin ones with gaps would be half as dark. */
const MAX_PITCH = 12;
const gapOf = (pitch: number): number => (pitch < 3 ? 0 : 1);

/** How bars are drawn: paths of the whole, so that a table with many columns has few elements. */
interface BarShape {
  /** CSS px. */
  readonly width: number;
  readonly pitch: number;
  readonly bars: string;
  /** The bar of all other values; empty where there is none. */
  readonly rest: string;
}

/** Bars in a column with so much `room`, in CSS px; upon whole pixels where there is room for a gap between them. */
export function barShape(bars: readonly Bar[], room: number): BarShape {
  const exactPitch = Math.min(MAX_PITCH, Math.min(room, MAX_WIDTH) / bars.length);
  const pitch = exactPitch < 2 ? exactPitch : Math.floor(exactPitch);
  const most = bars.reduce((high, { count }) => Math.max(high, count), 0);
  const path = (rest: boolean): string =>
    bars.map((bar, at) => (bar.rest === rest ? barPath(bar.count / most, { at, pitch }) : '')).join('');
  // No gap after the last bar: it touches the column's edge.
  const width = Math.max(0, Math.ceil(pitch * bars.length) - gapOf(pitch));
  return { width, pitch, bars: path(false), rest: path(true) };
}

/** One bar by its share of the highest: what is there at all is seen. */
export function barPath(
  share: number,
  { at, pitch }: { readonly at: number; readonly pitch: number },
): string {
  if (!(share > 0)) return '';
  const height = Math.max(1, Math.round(share * BAR_HEIGHT));
  const width = pitch - gapOf(pitch);
  return `M${round(at * pitch)} ${BAR_HEIGHT}v${-height}h${round(width)}v${height}z`;
}

/** The whole height above and behind a bar, for bars too low to be seen as pointed at. */
export function bandPath({ at, pitch }: { readonly at: number; readonly pitch: number }): string {
  const width = round(pitch - gapOf(pitch));
  return `M${round(at * pitch)} 0h${width}v${BAR_HEIGHT}h${-width}z`;
}

/** Index of the bar at `x` px from the left edge. */
export function barAt({ pitch }: BarShape, count: number, x: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(x / pitch)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
