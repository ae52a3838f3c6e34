/** Computes the SVG paths of the small bars in column headers that show the distribution of values. */

import type { Bar } from './distribution.ts';

/** Height of the highest bar, in CSS px. */
export const BAR_HEIGHT = 18;
const MAX_WIDTH = 120;
/** The largest pitch in CSS px: the distance from one bar to the next, including the gap. It keeps few bars slim. */
const MAX_PITCH = 12;
/** The gap within a pitch, in CSS px; none between thin bars, which would look half as dark with gaps. */
const gapOf = (pitch: number): number => (pitch < 3 ? 0 : 1);

/** The shapes of all bars as two SVG paths, so that a table with many columns has few elements. */
interface BarShape {
  /** The width of all bars, in CSS px. */
  readonly width: number;
  readonly pitch: number;
  readonly bars: string;
  /** The path of the bar of all other values; empty if there is none. */
  readonly rest: string;
}

/** The shapes of bars that fit into `room` CSS px; at whole pixels unless they are too thin. */
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

/** The path of one bar, from its share of the highest; a bar that is not empty is at least one pixel high. */
export function barPath(
  share: number,
  { at, pitch }: { readonly at: number; readonly pitch: number },
): string {
  if (!(share > 0)) return '';
  const height = Math.max(1, Math.round(share * BAR_HEIGHT));
  const width = pitch - gapOf(pitch);
  return `M${round(at * pitch)} ${BAR_HEIGHT}v${-height}h${round(width)}v${height}z`;
}

/** A band of the full height at a bar, which highlights bars that are too low to show the highlight themselves. */
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
