/** Postpones reactions to the pointer, such as hover styles of cells, until scrolling has stopped. */

/**
 * Reactions to the pointer are postponed until scrolling has stopped: while cells move below a resting pointer,
 * rendering the hover state of each would take most of a frame.
 */
const STILL_MS = 120;

interface ScrollWatch {
  /** Reports that something has moved. */
  readonly moved: () => void;
  /**
   * Runs `task` now, or after the movement has stopped.
   * @returns a function that cancels it
   */
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

/**
 * Runs `task` now, or after scrolling has stopped.
 * @returns a function that cancels it
 */
export function afterScrolling(task: () => void): () => void {
  if (page === null) {
    page = createScrollWatch();
    document.addEventListener('scroll', page.moved, { capture: true, passive: true });
  }
  return page.when(task);
}
