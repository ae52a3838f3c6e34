/** The keys of an app view that is shown as slides. */

/** The slide that a key leads to from the slide `at`, both from 0; null for a key that a slide show does not use. */
export function slideAfterKey(key: string, at: number, count: number): number | null {
  const last = Math.max(count - 1, 0);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
    case 'PageDown':
    case ' ':
      return Math.min(at + 1, last);
    case 'ArrowLeft':
    case 'ArrowUp':
    case 'PageUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
