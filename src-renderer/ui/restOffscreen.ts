import { useLayoutEffect } from 'react';

/**
 * Parts of a long page that are out of sight cost nothing to lay out, paint and hit-test: they *rest*
 * (`content-visibility: auto`), and stay in the page for find, print and screen readers. Heights are never guessed:
 * a part rests only once it has been laid out and its height is kept, so nothing jumps when it is scrolled to.
 *
 * States of a part: awake (laid out, being measured) → resting (class `resting`) → awake again when its content or
 * its width changes.
 */
const RESTING = 'resting';

/** Width at which a part was measured, in CSS px. */
const measuredWidth = new WeakMap<HTMLElement, number>();
const parts = new Set<HTMLElement>();
let awake = new Set<HTMLElement>();
let dozing = new Set<HTMLElement>();
let due = false;
let observer: ResizeObserver | null = null;

function observe(part: HTMLElement): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      const width = measuredWidth.get(target);
      measuredWidth.set(target, contentRect.width);
      // A resting part has the height it was given, at whatever width: it must be laid out anew.
      if (target.classList.contains(RESTING) && width !== contentRect.width) wakeNextFrame(target);
      else target.style.containIntrinsicBlockSize = `${contentRect.height}px`;
    }
  });
  observer.observe(part);
}

function wake(part: HTMLElement): void {
  part.classList.remove(RESTING);
  awake.add(part);
  schedule();
}

/** Inside a resize notification a change of size would be told in the same frame again, without end. */
function wakeNextFrame(part: HTMLElement): void {
  requestAnimationFrame(() => {
    if (parts.has(part)) wake(part);
  });
}

/** Two frames: the first lays awake parts out and measures them, in the second they may rest. */
function schedule(): void {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    for (const part of dozing) if (parts.has(part) && !awake.has(part)) part.classList.add(RESTING);
    dozing = awake;
    awake = new Set();
    if (dozing.size > 0) schedule();
  });
}

/** Letters of a late font have other widths: every height is measured again. */
function wakeAll(): void {
  for (const part of parts) wake(part);
}

/**
 * Lets an element rest while it is out of sight; any change of `content` wakes it to be measured. Where its height is
 * `known` (inner height in CSS px, at whatever width) it rests from the start and is never laid out for it.
 */
export function useRestOffscreen(
  ref: React.RefObject<HTMLElement | null>,
  content: unknown,
  known: number | null = null,
): void {
  const measured = known === null;
  useLayoutEffect(() => {
    const part = ref.current;
    if (part === null || !measured) return;
    if (parts.size === 0) document.fonts.addEventListener('loadingdone', wakeAll);
    parts.add(part);
    observe(part);
    return () => {
      parts.delete(part);
      awake.delete(part);
      dozing.delete(part);
      observer?.unobserve(part);
      if (parts.size === 0) document.fonts.removeEventListener('loadingdone', wakeAll);
    };
  }, [ref, measured]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` is what wakes it
  useLayoutEffect(() => {
    const part = ref.current;
    if (part === null) return;
    if (known === null) wake(part);
    else {
      part.style.containIntrinsicBlockSize = `${known}px`;
      part.classList.add(RESTING);
    }
  }, [ref, content, known]);
}
