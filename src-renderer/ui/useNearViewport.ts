/** Notices when an element comes near the viewport, so that its content can be loaded or drawn then. */

import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** A group of parts that rest as one. */
const GROUP = '.rest-group';

type Waiter = () => void;
interface Watch {
  readonly observer: IntersectionObserver;
  readonly waiters: Map<Element, Waiter>;
  readonly nearGroups: Set<Element>;
}

/** One observer per scrollable box. */
const watches = new WeakMap<Element, Watch>();

/**
 * Calls the waiter once, when an element comes within one screen of the viewport. The scrollable box
 * (`data-scroll-root`) must be the observer's root: a margin extends only the root, and every other scrollable box
 * clips it. For elements in a group (`restingList.ts`), the group is observed, and the elements only while it is near,
 * because the browser checks each observed element in each frame.
 */
export function watchNear(element: Element, waiter: Waiter): () => void {
  const { observer, waiters, nearGroups } = watchOf(element);
  waiters.set(element, waiter);
  const group = element.closest(GROUP);
  observer.observe(group === null || nearGroups.has(group) ? element : group);
  return () => {
    waiters.delete(element);
    observer.unobserve(element);
  };
}

/** Called when an element was moved into this group from another: finds its waiting elements again. */
export function refreshGroup(group: Element): void {
  const watch = watchOf(group);
  if (watch.nearGroups.has(group)) watchIn(group, watch);
  else watch.observer.observe(group);
}

function watchIn(group: Element, { observer, waiters }: Watch): void {
  for (const element of waiters.keys()) if (element.closest(GROUP) === group) observer.observe(element);
}

function watchOf(element: Element): Watch {
  const root = element.closest('[data-scroll-root]') ?? document.documentElement;
  return watches.get(root) ?? begin(root);
}

function begin(root: Element): Watch {
  const watch: Watch = {
    waiters: new Map(),
    nearGroups: new Set(),
    observer: new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (target.matches(GROUP)) groupMoved(target, isIntersecting, watch);
          else if (isIntersecting) notify(target, watch);
        }
      },
      { root: root === document.documentElement ? null : root, rootMargin: '800px 0px' },
    ),
  };
  watches.set(root, watch);
  return watch;
}

function groupMoved(group: Element, near: boolean, watch: Watch): void {
  if (near) {
    watch.nearGroups.add(group);
    watchIn(group, watch);
    return;
  }
  watch.nearGroups.delete(group);
  for (const element of watch.waiters.keys()) {
    if (element.closest(GROUP) === group) watch.observer.unobserve(element);
  }
}

function notify(element: Element, { observer, waiters }: Watch): void {
  observer.unobserve(element);
  const waiter = waiters.get(element);
  waiters.delete(element);
  waiter?.();
}

/**
 * A ref for an element, whether it has been near the viewport since the last reset, and a function that resets this.
 */
export function useNearViewport<E extends Element>(): [React.RefObject<E | null>, boolean, () => void] {
  const ref = useRef<E | null>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || ref.current === null) return;
    // As a transition, so that scrolling continues while the content is rendered.
    return watchNear(ref.current, () => startTransition(() => setNear(true)));
  }, [near]);
  const leave = useCallback(() => setNear(false), []);
  return [ref, near, leave];
}
