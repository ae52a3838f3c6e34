/** Where a key leads from a slide, both from 0; null: the key is no command of a slide show. */
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
