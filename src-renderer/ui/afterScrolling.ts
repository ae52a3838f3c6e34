/**
 * Reactions to the pointer wait until the page is still: during scrolling, cell after cell passes below a resting
 * pointer, and drawing the hover state of each would cost most of a frame.
 */
const STILL_MS = 120;

interface ScrollWatch {
  /** Something moved just now. */
  readonly moved: () => void;
  /** Runs `task` now, or once nothing has moved for a moment; the answer takes it back. */
  readonly when: (task: () => void) => () => void;
}

export function createScrollWatch(): ScrollWatch {
  let movedAt = Number.NEGATIVE_INFINITY;
  return {
    moved: () => {
      movedAt = performance.now();
    },
    when: (task) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const look = (): void => {
        const remainingMs = movedAt + STILL_MS - performance.now();
        if (remainingMs <= 0) task();
        else timer = setTimeout(look, remainingMs);
      };
      look();
      return () => clearTimeout(timer);
    },
  };
}

let page: ScrollWatch | null = null;

/** Runs `task` now, or once nothing of the page has been scrolled for a moment; the answer takes it back. */
export function afterScrolling(task: () => void): () => void {
  if (page === null) {
    page = createScrollWatch();
    document.addEventListener('scroll', page.moved, { capture: true, passive: true });
  }
  return page.when(task);
}
