/** Words of a cell's card: its name, its menu, moving it about. */
export const CELL_WORDS = {
  nameOf: (name: string): string => `Name of ${name}`,
  nameHint: 'Double-click to name the cell',
  more: (name: string): string => `More: ${name}`,
  code: (name: string): string => `Code of ${name}`,
  selected: 'selected',
  outputHidden: 'Output is hidden',
  showOutput: 'Show it',
  drag: (name: string): string => `Move ${name}`,
  dragHint:
    'Drag to move. With keys: Space, then the arrows, then Space again; Escape leaves it where it was.',
  dragging: (count: number, name: string): string => (count === 1 ? name : `${count} cells`),
  dragStarted: (what: string): string => `${what} picked up. Move with the arrows, drop with Space.`,
  dragOver: (what: string, place: number, total: number): string => `${what}: place ${place} of ${total}`,
  dragDropped: (what: string, place: number, total: number): string =>
    `${what} dropped at place ${place} of ${total}.`,
  dragCancelled: (what: string): string => `${what} stays where it was.`,
} as const;
