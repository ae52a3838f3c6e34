import { isAbsolute } from 'node:path';

declare const brand: unique symbol;

/** The absolute path of a notebook's folder. Where its files are is in `ownPlaces.ts`. */
export type NotebookFolder = string & { readonly [brand]: 'NotebookFolder' };

/** @throws TypeError for a relative path, which would change its meaning with the working folder */
export function notebookFolder(path: string): NotebookFolder {
  if (!isAbsolute(path)) throw new TypeError(`${JSON.stringify(path)} is not an absolute path.`);
  return path as NotebookFolder;
}
