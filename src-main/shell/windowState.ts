/** The stored positions of the desktop app's windows, corrected for the current displays. */

/** The position and the size of a window, in the screen's points. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState extends Bounds {
  readonly maximized: boolean;
}

export const MIN_SIZE = { width: 640, height: 480 };
const USUAL_SIZE = { width: 1280, height: 860 };
/** The part of a window that must be on some display, so that a user can move it. */
const MIN_VISIBLE = { width: 120, height: 40 };
/** The offset of a further window from the previous one. */
const CASCADE = 28;

/**
 * The state for opening a window: the stored one if it fits the current displays, otherwise made smaller and
 * moved. `displays` are work areas, the main one first.
 */
export function fitState(
  stored: WindowState | null,
  displays: readonly Bounds[],
  others: readonly Bounds[] = [],
): WindowState {
  const main = displays[0] ?? { x: 0, y: 0, ...USUAL_SIZE };
  const state = stored ?? { ...centred(main), maximized: false };
  const area = displays.find((display) => isReachable(state, display)) ?? main;
  const width = clamp(state.width, Math.min(MIN_SIZE.width, area.width), area.width);
  const height = clamp(state.height, Math.min(MIN_SIZE.height, area.height), area.height);
  let x = clamp(state.x, area.x, area.x + area.width - width);
  let y = clamp(state.y, area.y, area.y + area.height - height);
  while (others.some((other) => other.x === x && other.y === y)) {
    if (x + CASCADE + width > area.x + area.width || y + CASCADE + height > area.y + area.height) break;
    x += CASCADE;
    y += CASCADE;
  }
  return { x, y, width, height, maximized: state.maximized };
}

/** A stored state, or null when it is invalid. */
export function readWindowState(data: unknown): WindowState | null {
  if (typeof data !== 'object' || data === null) return null;
  const { x, y, width, height, maximized } = data as Record<string, unknown>; // its fields are validated next
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return null;
  if (width <= 0 || height <= 0) return null;
  return { x, y, width, height, maximized: maximized === true };
}

function centred(area: Bounds): Bounds {
  const width = Math.min(USUAL_SIZE.width, area.width);
  const height = Math.min(USUAL_SIZE.height, area.height);
  const x = area.x + Math.floor((area.width - width) / 2);
  const y = area.y + Math.floor((area.height - height) / 2);
  return { x, y, width, height };
}

function isReachable(window: Bounds, area: Bounds): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  const titleInside = window.y >= area.y && window.y + MIN_VISIBLE.height <= area.y + area.height;
  return across >= MIN_VISIBLE.width && titleInside;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
