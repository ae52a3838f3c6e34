/** UI texts of a cell's card: its name, its menu, and how it is moved. */
export const CELL_WORDS = {
  preview: (name: string): string => `Preview of ${name}`,
  foldSection: (count: number): string => `Fold this section of ${cellCount(count)}`,
  unfoldSection: (count: number): string => `Unfold this section of ${cellCount(count)}`,
  folded: (count: number): string => `${cellCount(count)} folded`,
  nameOf: (name: string): string => `Name of ${name}`,
  nameHint: 'Double-click to rename the cell',
  more: (name: string): string => `More: ${name}`,
  code: (name: string): string => `Code of ${name}`,
  selected: 'selected',
  outputHidden: 'Output is hidden',
  showOutput: 'Show output',
  drag: (name: string): string => `Move ${name}`,
  dragHint:
    'Drag to move. With the keyboard: press Space, move with the arrow keys, press Space to drop. Escape cancels.',
  dragging: (count: number, name: string): string => (count === 1 ? name : `${count} cells`),
  dragStarted: (what: string): string => `${what} picked up. Move with the arrow keys, drop with Space.`,
  dragOver: (what: string, place: number, total: number): string => `${what}: position ${place} of ${total}`,
  dragDropped: (what: string, place: number, total: number): string =>
    `${what} dropped at position ${place} of ${total}.`,
  dragCancelled: (what: string): string => `Move cancelled. ${what} was not moved.`,
} as const;

function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}
