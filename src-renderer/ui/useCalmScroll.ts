/** Hook that keeps cells from reacting to a resting pointer while the mouse wheel scrolls the page. */

import { type RefObject, useEffect } from 'react';

/** Scrolling within this time after a wheel event counts as caused by the wheel, in ms. */
const BY_WHEEL_MS = 150;
/**
 * How long after the last scroll event the page counts as still, in ms: shorter than the time from turning the wheel to
 * a click.
 */
const STILL_MS = 100;

/**
 * While the wheel scrolls `root`, only `pane` is under the pointer (`data-moving`). Otherwise a resting pointer would
 * hover cell after cell, each of them would be repainted, and the first table or console below it would take the wheel
 * over. The first move or press of the pointer ends this state, and so does the end of scrolling.
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
      // Without height, it does not extend the scrollable area of a page that becomes shorter.
      over.style.height = '0';
    };
    const wheel = (event: WheelEvent): void => {
      // A text selection by dragging follows the pointer, and with Control the wheel zooms: both do not count.
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
