/**
 * What follows the pointer waits until the page stands still: while it is scrolled, cell after cell passes below a
 * pointer that nobody moves, and drawing what each shows under the pointer would cost most of a frame.
 */
const STILL_MS = 120;

let scrolledAt = Number.NEGATIVE_INFINITY;
let listening = false;

/** Runs `task` now, or once nothing has been scrolled for a moment; the answer takes it back. */
export function whenStill(task: () => void): () => void {
  listen();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const left = scrolledAt + STILL_MS - performance.now();
    if (left <= 0) task();
    else timer = setTimeout(look, left);
  };
  look();
  return () => clearTimeout(timer);
}

function listen(): void {
  if (listening) return;
  listening = true;
  const options = { capture: true, passive: true };
  document.addEventListener('scroll', () => (scrolledAt = performance.now()), options);
}
