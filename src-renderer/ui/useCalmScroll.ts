import { type RefObject, useEffect } from 'react';

/** A wheel turns, or turned a moment ago: what scrolls within this time scrolls by it. In ms. */
const BY_WHEEL_MS = 150;
/** Time after the last scroll until the page counts as still, in ms: less than it takes from the wheel to a click. */
const STILL_MS = 100;

/**
 * While the wheel scrolls `root`, only `pane` is under the pointer (`data-moving`): otherwise a resting pointer would
 * hover cell after cell, repaint each, and hand the wheel to the first table or console that comes below it. The first
 * move or press of the pointer ends it, and so does the end of scrolling.
 */
export function useCalmScroll(
  root: RefObject<HTMLElement | null>,
  pane: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const [element, over] = [root.current, pane.current];
    if (element === null || over === null) return;
    let wheelAt = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const still = (): void => {
      clearTimeout(timer);
      element.removeAttribute('data-moving');
      // A page that becomes shorter than it has nothing to scroll for.
      over.style.height = '0';
    };
    const wheel = (event: WheelEvent): void => {
      // A selection that is being drawn follows the pointer; with Control the wheel zooms.
      wheelAt = event.buttons === 0 && !event.ctrlKey ? performance.now() : Number.NEGATIVE_INFINITY;
    };
    const scroll = (): void => {
      if (performance.now() - wheelAt > BY_WHEEL_MS) return;
      clearTimeout(timer);
      timer = setTimeout(still, STILL_MS);
      if (element.hasAttribute('data-moving')) return;
      over.style.height = `calc(${element.clientHeight}px + var(--s6))`;
      element.setAttribute('data-moving', '');
    };
    const moved = (event: PointerEvent): void => {
      if (event.movementX !== 0 || event.movementY !== 0) still();
    };
    element.addEventListener('wheel', wheel, { passive: true });
    element.addEventListener('scroll', scroll, { passive: true });
    element.addEventListener('pointermove', moved, { passive: true });
    element.addEventListener('pointerdown', still, { passive: true });
    return () => {
      still();
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('scroll', scroll);
      element.removeEventListener('pointermove', moved);
      element.removeEventListener('pointerdown', still);
    };
  }, [root, pane]);
}
