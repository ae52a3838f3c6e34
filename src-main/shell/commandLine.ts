import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';

/** What somebody who started the app, or started it again, wants of it. */
export type Wish =
  | { readonly kind: 'folder'; readonly path: string }
  /** A `cellar://` link, which any page may carry. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'nothing' };

/**
 * Reads the arguments after the program's own. Switches are Chromium's or ours and name no folder.
 * @param cwd where the person stood: relative folders are theirs
 */
export function wishOf(args: readonly string[], cwd: string): Wish {
  const given = args.filter((arg) => !arg.startsWith('-'));
  const link = given.find((arg) => arg.startsWith('cellar:'));
  if (link !== undefined) return { kind: 'link', url: link };
  const path = given.at(-1);
  if (path === undefined || path === '') return { kind: 'nothing' };
  return { kind: 'folder', path: notebookFolder(isAbsolute(path) ? path : resolve(cwd, path)) };
}

/** The folder a path stands for: a file of a notebook stands for the folder around it. */
export function notebookFolder(path: string): string {
  const folder = basename(path) === 'notebook.toml' ? dirname(path) : path;
  return resolve(folder);
}

/** True for a folder that is there. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
