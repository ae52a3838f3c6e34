import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';

/** What somebody who started the app, or started it again, wants of it. */
export type Wish =
  /** `trusted`: whoever started the program from a checkout named the folder to run it (`npm start -- DIR`). */
  | { readonly kind: 'folder'; readonly path: string; readonly trusted: boolean }
  /** A `cellar://` link, which any page may carry. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'nothing' };

export interface WishSurroundings {
  /** Where the person stood: relative folders are theirs. */
  readonly cwd: string;
  readonly packaged: boolean;
}

const TRUST_SWITCH = '--trust';

/**
 * Reads the arguments after the program's own. Switches are Chromium's or ours and name no folder. `--trust` counts in
 * a checkout alone: what starts the packaged app is the file manager too, with whatever lies on the disk.
 */
export function wishOf(args: readonly string[], { cwd, packaged }: WishSurroundings): Wish {
  const given = args.filter((arg) => !arg.startsWith('-'));
  const link = given.find((arg) => arg.startsWith('cellar:'));
  if (link !== undefined) return { kind: 'link', url: link };
  const path = given.at(-1);
  if (path === undefined || path === '') return { kind: 'nothing' };
  const trusted = !packaged && args.includes(TRUST_SWITCH);
  return { kind: 'folder', path: notebookFolder(isAbsolute(path) ? path : resolve(cwd, path)), trusted };
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
