import type { NotebookModel } from './notebookModel.ts';

/**
 * Caches the result of `read` for the last model. Components call it at every change of the view, including key
 * presses, while the model changes only when the server sends something.
 */
export function perModel<T>(read: (model: NotebookModel) => T): (model: NotebookModel) => T {
  let last: { readonly model: NotebookModel; readonly value: T } | null = null;
  return (model) => {
    if (last === null || last.model !== model) last = { model, value: read(model) };
    return last.value;
  };
}
