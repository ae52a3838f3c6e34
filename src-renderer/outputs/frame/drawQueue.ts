/** Draws the sandboxed frames of outputs one after another, the nearest to the middle of the window first. */

/** How long one output may keep the others waiting, in ms: a script of its own may never end. */
const LONGEST_TURN_MS = 4_000;

interface Waiter {
  readonly place: Element;
  readonly draw: () => void;
}

const waiters = new Set<Waiter>();
let drawing: Waiter | null = null;

/**
 * Draws outputs one after another, the one nearest to the middle of the window first: all frames share one thread, so a
 * dozen frames drawn simultaneously would all be empty until the last one is drawn.
 * @param draw starts drawing
 * @returns a function that ends the turn, or the wait for it; to be called when the output is drawn or removed
 */
export function drawInTurn(place: Element, draw: () => void): () => void {
  const waiter = { place, draw };
  waiters.add(waiter);
  // Deferred, so that the nearest is chosen among all outputs that become ready at the same moment.
  if (drawing === null) queueMicrotask(next);
  return () => end(waiter);
}

function end(waiter: Waiter): void {
  waiters.delete(waiter);
  if (drawing !== waiter) return;
  drawing = null;
  next();
}

function next(): void {
  if (drawing !== null) return;
  let nearest: Waiter | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const waiter of waiters) {
    if (!waiter.place.isConnected) {
      waiters.delete(waiter);
      continue;
    }
    const away = distance(waiter.place);
    if (away >= least) continue;
    nearest = waiter;
    least = away;
  }
  if (nearest === null) return;
  const turn = nearest;
  waiters.delete(turn);
  drawing = turn;
  setTimeout(() => end(turn), LONGEST_TURN_MS);
  turn.draw();
}

/** The distance from the middle of the window to the nearest edge of an element, in CSS px. */
export function distance(place: Element): number {
  const { top, bottom } = place.getBoundingClientRect();
  const middle = window.innerHeight / 2;
  return Math.max(0, top - middle, middle - bottom);
}
