/** The type of a notebook folder's path, which keeps functions from getting any other path by mistake. */

declare const brand: unique symbol;

/**
 * The absolute path of a notebook's folder that this process opened. `ownPlaces.ts` has the paths of Cellar's own files
 * in it.
 */
export type NotebookFolder = string & { readonly [brand]: 'NotebookFolder' };

/** @param path absolute; the caller knows that it is the folder of a notebook */
export function notebookFolder(path: string): NotebookFolder {
  return path as NotebookFolder; // the only place that makes one
}
