import { useEffect, useRef, useState } from 'react';

type Waiter = () => void;
interface Watch {
  readonly observer: IntersectionObserver;
  readonly waiters: Map<Element, Waiter>;
}

/** One observer per scrolling box. */
const watches = new WeakMap<Element, Watch>();

/**
 * Tells once when an element comes within a screen of being seen. The box that scrolls (`data-scroll-root`) must be
 * the observer's root: a margin reaches beyond the root only, and every other scrolling box cuts it off.
 */
export function watchNear(element: Element, waiter: Waiter): () => void {
  const root = element.closest('[data-scroll-root]') ?? document.documentElement;
  const { observer, waiters } = watches.get(root) ?? begin(root);
  waiters.set(element, waiter);
  observer.observe(element);
  return () => {
    waiters.delete(element);
    observer.unobserve(element);
  };
}

function begin(root: Element): Watch {
  const waiters = new Map<Element, Waiter>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const waiter = waiters.get(target);
        waiters.delete(target);
        waiter?.();
      }
    },
    { root: root === document.documentElement ? null : root, rootMargin: '800px 0px' },
  );
  const made = { observer, waiters };
  watches.set(root, made);
  return made;
}

/** A ref for an element and whether it has ever been near the viewport. */
export function useNearViewport<E extends Element>(): [React.RefObject<E | null>, boolean] {
  const ref = useRef<E | null>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || ref.current === null) return;
    return watchNear(ref.current, () => setNear(true));
  }, [near]);
  return [ref, near];
}
