/**
 * Skips the browser's layout and painting of cells and groups of cells that are off screen (CSS `content-visibility`).
 */

import { useLayoutEffect } from 'react';

/**
 * Parts of a long page that are off screen cost nothing to lay out, paint and hit-test: they *rest*
 * (`content-visibility: auto`), and stay in the page for find, print and screen readers. Heights are never guessed:
 * a part rests only once it has been laid out and its height is stored, so nothing jumps when it is scrolled to.
 * Parts may be in groups (`restingList.ts`), which rest by the same rule and wake with any of their parts.
 *
 * States of a part: awake (laid out, being measured) → resting (class `resting`) → awake again when its content or
 * its width changes.
 */
const RESTING = 'resting';
/** Heights are written after this time even if there is no pause. */
const PAUSE_MS = 500;

/** Width at which a part was measured, in CSS px. */
const measuredWidth = new WeakMap<HTMLElement, number>();
/** Inner heights known in advance, in CSS px. */
const knownHeight = new WeakMap<Element, number>();
/** Heights of parts with the focus that are not in their style yet, in CSS px. */
const unwritten = new Map<HTMLElement, number>();
const parts = new Set<HTMLElement>();
const groups = new Set<HTMLElement>();
let changedGroups = new Set<HTMLElement>();
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
      if (groups.has(target) && sumOfKnown(target) !== null) continue;
      // A resting part keeps its stored height at any width: it must be laid out again.
      if (target.classList.contains(RESTING) && width !== contentRect.width) wakeNextFrame(target);
      else keepHeight(target, contentRect.height);
    }
  });
  observer.observe(part);
}

/**
 * Writing a height during typing would lay out the page twice in the frame of the key press; the focused part does not
 * rest, and its height is not needed before the next pause.
 */
function keepHeight(part: HTMLElement, height: number): void {
  if (!part.contains(document.activeElement)) {
    unwritten.delete(part);
    part.style.containIntrinsicBlockSize = `${height}px`;
    return;
  }
  if (unwritten.size === 0) requestIdleCallback(writeHeights, { timeout: PAUSE_MS });
  unwritten.set(part, height);
}

function writeHeights(): void {
  for (const [part, height] of unwritten) part.style.containIntrinsicBlockSize = `${height}px`;
  unwritten.clear();
}

function add(part: HTMLElement): void {
  if (parts.size === 0) document.fonts.addEventListener('loadingdone', wakeAll);
  parts.add(part);
  observe(part);
}

function remove(part: HTMLElement): void {
  parts.delete(part);
  awake.delete(part);
  dozing.delete(part);
  unwritten.delete(part);
  observer?.unobserve(part);
  if (parts.size === 0) document.fonts.removeEventListener('loadingdone', wakeAll);
}

function wake(part: HTMLElement): void {
  part.classList.remove(RESTING);
  awake.add(part);
  schedule();
  groupChanged(part.parentElement);
}

/** Changing a size inside a resize notification would notify again in the same frame, in an endless loop. */
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

/** A font that loads late has other letter widths, so every height is measured again. */
function wakeAll(): void {
  for (const part of parts) wake(part);
}

/** From now on the parts of a group rest together. */
export function addGroup(group: HTMLElement): void {
  groups.add(group);
  add(group);
}

export function removeGroup(group: HTMLElement): void {
  groups.delete(group);
  remove(group);
}

/**
 * Called when parts were added, removed or changed their height, before the next layout, so that parts of known height
 * are never laid out.
 */
export function groupChanged(group: HTMLElement | null): void {
  if (group === null || !groups.has(group)) return;
  if (changedGroups.size === 0) queueMicrotask(settleGroups);
  changedGroups.add(group);
}

function settleGroups(): void {
  const changed = changedGroups;
  changedGroups = new Set();
  for (const group of changed) {
    if (!groups.has(group)) continue;
    const sum = sumOfKnown(group);
    if (sum === null) wake(group);
    else {
      awake.delete(group);
      // The style sheet defines the gap between two parts.
      group.style.containIntrinsicBlockSize = `calc(${sum}px + ${group.childElementCount} * var(--rest-gap))`;
      group.classList.add(RESTING);
    }
  }
}

/** The sum of the heights of a group's parts if all are known, else null. */
function sumOfKnown(group: HTMLElement): number | null {
  let sum = 0;
  for (const part of group.children) {
    const height = knownHeight.get(part);
    if (height === undefined) return null;
    sum += height;
  }
  return sum;
}

/**
 * Lets an element rest while it is off screen; any change of `content` wakes it to be measured. If its height is
 * given (inner height in CSS px, at any width) it rests from the start and is never laid out to be measured.
 */
export function useRestOffscreen(
  ref: React.RefObject<HTMLElement | null>,
  content: unknown,
  fixedHeight: number | null = null,
): void {
  const measured = fixedHeight === null;
  useLayoutEffect(() => {
    const part = ref.current;
    if (part === null || !measured) return;
    add(part);
    return () => remove(part);
  }, [ref, measured]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` is what wakes it
  useLayoutEffect(() => {
    const part = ref.current;
    if (part === null) return;
    if (fixedHeight === null) {
      knownHeight.delete(part);
      wake(part);
      return;
    }
    knownHeight.set(part, fixedHeight);
    part.style.containIntrinsicBlockSize = `${fixedHeight}px`;
    part.classList.add(RESTING);
    groupChanged(part.parentElement);
  }, [ref, content, fixedHeight]);
}
