/** Keys that move the focus from region to region of the page of a notebook. */

import { useEffect } from 'react';

/**
 * F6 and Shift+F6 go from region to region of the page, as in editors: header, left, cells, drawer, inspector,
 * status. A region is an element with `data-region`; it gets the focus where it was last, else at its first control.
 */
export function useRegionKeys(): void {
  useEffect(() => {
    const last = new WeakMap<Element, HTMLElement>();
    const remember = (event: FocusEvent): void => {
      if (!(event.target instanceof HTMLElement)) return;
      const region = event.target.closest('[data-region]');
      if (region !== null) last.set(region, event.target);
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      goToNext(event.shiftKey ? -1 : 1, last);
    };
    window.addEventListener('focusin', remember);
    // In the capture phase, because the editor would handle the key otherwise.
    window.addEventListener('keydown', press, { capture: true });
    return () => {
      window.removeEventListener('focusin', remember);
      window.removeEventListener('keydown', press, { capture: true });
    };
  }, []);
}

function goToNext(by: 1 | -1, last: WeakMap<Element, HTMLElement>): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isSeen);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const start = at === -1 ? (by === 1 ? -1 : 0) : at;
  const region = regions[(start + by + regions.length) % regions.length];
  if (region !== undefined) focusIn(region, last.get(region));
}

/**
 * Puts the focus into a region: on the element that had it before, else on the region's first control, else on the
 * region.
 */
export function focusIn(region: HTMLElement, before?: HTMLElement): void {
  const target =
    before !== undefined && region.contains(before) && isSeen(before)
      ? before
      : (region.querySelector<HTMLElement>(WRITTEN_IN) ??
        region.querySelector<HTMLElement>('[aria-current=true][tabindex="0"], [tabindex="0"][role=option]') ??
        [...region.querySelectorAll<HTMLElement>(CONTROLS)].find(isSeen));
  (target ?? region).focus({ preventScroll: region.dataset['region'] === 'main' });
}

/**
 * The input of the cell that is being edited. It is looked up again, because the editor may have replaced the element
 * that had the focus.
 */
const WRITTEN_IN = 'textarea[data-editor], [data-editor] textarea, [data-editor] .native-edit-context';

const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, [tabindex="0"]';

function isSeen(element: HTMLElement): boolean {
  return element.offsetParent !== null || getComputedStyle(element).position === 'fixed';
}
