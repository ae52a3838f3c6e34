/** From one height to another, in CSS px of the window. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** How far `box` is to be scrolled for `part` to be seen in it with `margin` around, in CSS px; 0 where it is. */
export function scrollInto(box: Span, part: Span, margin: number): number {
  const above = part.top - margin - box.top;
  if (above < 0) return above;
  return Math.max(0, part.bottom + margin - box.bottom);
}
