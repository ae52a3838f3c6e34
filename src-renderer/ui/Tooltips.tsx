/** Shows the tooltip of the element under the pointer or with the focus. */

import './tooltip.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Keys } from './Keys.tsx';

const ID = 'tooltip';
/**
 * How long the pointer must rest before a tooltip appears, in ms. It appears immediately on keyboard focus, and if
 * another one was visible just before.
 */
const REST_MS = 500;
const WARM_MS = 300;
const GAP_PX = 6;
const EDGE_PX = 8;

interface Shown {
  readonly target: HTMLElement;
  readonly words: string;
  readonly keys: string | null;
}

/** Renders the visible tooltip. Mounted once. Escape hides it; the pointer may move onto it. */
export function Tooltips() {
  const dueTip = useDueTip();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (dueTip === null || box.current === null) return;
    place(box.current, dueTip.target.getBoundingClientRect());
    if (dueTip.target.getAttribute('aria-label') === dueTip.words) return;
    if (dueTip.target.hasAttribute('aria-describedby')) return;
    dueTip.target.setAttribute('aria-describedby', ID);
    return () => dueTip.target.removeAttribute('aria-describedby');
  }, [dueTip]);
  if (dueTip === null) return null;
  return (
    <div className="tooltip" id={ID} role="tooltip" ref={box}>
      {dueTip.words}
      {dueTip.keys === null ? null : <Keys chord={dueTip.keys} quiet />}
    </div>
  );
}

function useDueTip(): Shown | null {
  const [visibleTip, setVisibleTip] = useState<Shown | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: HTMLElement | null = null;
    let hiddenAtMs = -Infinity;
    // The label of a pressed button may change while the pointer is on it, and the tooltip with it.
    const changes = new MutationObserver(() => current !== null && setVisibleTip(tipIn(current)));
    const hide = (): void => {
      clearTimeout(timer);
      changes.disconnect();
      if (current !== null) hiddenAtMs = performance.now();
      current = null;
      setVisibleTip(null);
    };
    const show = (target: HTMLElement): void => {
      current = target;
      changes.observe(target, { attributeFilter: ['data-tip', 'data-tip-keys'] });
      setVisibleTip(tipIn(target));
    };
    const over = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') return;
      const target = tipOf(event.target);
      if (target === current) return;
      if (event.target instanceof Element && event.target.closest(`#${ID}`) !== null) return;
      const warm = current !== null || performance.now() - hiddenAtMs < WARM_MS;
      hide();
      if (target === null) return;
      timer = setTimeout(() => target.isConnected && show(target), warm ? 0 : REST_MS);
    };
    const focus = (event: FocusEvent): void => {
      const target = tipOf(event.target);
      hide();
      if (target?.matches(':focus-visible') === true && target === event.target) show(target);
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    // Listeners added in the capture phase must be removed with the same options.
    const listen: readonly [string, (event: never) => void][] = [
      ['pointerover', over],
      ['pointerdown', hide],
      ['focusin', focus],
      ['focusout', hide],
      ['keydown', key],
      ['scroll', hide],
    ];
    for (const [name, listener] of listen) {
      document.addEventListener(name, listener as EventListener, { capture: true, passive: true }); // by its name
    }
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      for (const [name, listener] of listen) {
        document.removeEventListener(name, listener as EventListener, { capture: true });
      }
    };
  }, []);
  return visibleTip;
}

function tipIn(target: HTMLElement): Shown {
  const { tip = '', tipKeys = null } = target.dataset;
  return { target, words: tip, keys: tipKeys };
}

function tipOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const holder = target.closest<HTMLElement>('[data-tip]');
  // An open menu replaces the tooltip of its button.
  return holder?.getAttribute('aria-expanded') === 'true' ? null : holder;
}

/** Below the target, or above it if there is no room below; never outside the window. */
function place(box: HTMLElement, target: DOMRect): void {
  const { width, height } = box.getBoundingClientRect();
  const below = target.bottom + GAP_PX;
  const top = below + height > window.innerHeight - EDGE_PX ? target.top - GAP_PX - height : below;
  const middle = target.left + target.width / 2 - width / 2;
  const left = Math.max(EDGE_PX, Math.min(middle, window.innerWidth - EDGE_PX - width));
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(EDGE_PX, top))}px)`;
}
