import type { NotebookView } from '../state/notebookStore.ts';
import type { Edits } from './edits.ts';
import type { Structure } from './structure.ts';
import type { Undo } from './undo.ts';

/** What `NotebookShape`, which adds, moves and deletes cells, needs of the window's session with a notebook. */
export interface ShapePort {
  readonly view: () => NotebookView;
  readonly set: (change: Partial<NotebookView>) => void;
  readonly structure: Structure;
  readonly edits: Edits;
  readonly undo: Undo;
  /** Shows a sentence for a short time, on request with an *Undo* button. */
  readonly say: (words: string, options?: { readonly undo: boolean }) => void;
}
