/** Computes how far to scroll a box so that a part of it becomes visible. */

/** A vertical span, in CSS px of the window. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** How far to scroll `box`, in CSS px, so that `part` is visible in it with `margin` around; 0 if it already is. */
export function scrollToShow(box: Span, part: Span, margin: number): number {
  const above = part.top - margin - box.top;
  if (above < 0) return above;
  return Math.max(0, part.bottom + margin - box.bottom);
}
