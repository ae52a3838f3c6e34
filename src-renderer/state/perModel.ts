import type { NotebookModel } from './notebookModel.ts';

/**
 * A reading of the whole notebook, done once per model. Components ask at every change of anything, a key press
 * among them: what only the server's word changes must not be worked out again for it.
 */
export function perModel<T>(read: (model: NotebookModel) => T): (model: NotebookModel) => T {
  let last: { readonly model: NotebookModel; readonly value: T } | null = null;
  return (model) => {
    if (last === null || last.model !== model) last = { model, value: read(model) };
    return last.value;
  };
}
