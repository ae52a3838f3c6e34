/** Parses the arguments with which the desktop app is started: a folder or a `cellar://` link to open. */

import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';

/** A request from the command line of a first or second start. */
export type OpenRequest =
  /**
   * `trusted`: the user who started the program from a checkout named the folder to run it (`npm start --
   * DIR`).
   */
  | { readonly kind: 'folder'; readonly path: string; readonly trusted: boolean }
  /** A `cellar://` link, which any page may contain. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'nothing' };

interface OpenRequestContext {
  /** The working directory of the user's shell, for relative folders. */
  readonly cwd: string;
  readonly packaged: boolean;
}

const TRUST_SWITCH = '--trust';

/**
 * Parses the arguments after the program's own. Switches belong to Chromium or the app and name no folder.
 * `--trust` counts only in a checkout: the packaged app is also started by the file manager, with any folder.
 */
export function openRequestOf(args: readonly string[], { cwd, packaged }: OpenRequestContext): OpenRequest {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const link = names.find((arg) => arg.startsWith('cellar:'));
  if (link !== undefined) return { kind: 'link', url: link };
  const path = names.at(-1);
  if (path === undefined || path === '') return { kind: 'nothing' };
  const trusted = !packaged && args.includes(TRUST_SWITCH);
  return { kind: 'folder', path: notebookFolder(isAbsolute(path) ? path : resolve(cwd, path)), trusted };
}

/** The notebook folder for a path: for a file of a notebook its folder. */
export function notebookFolder(path: string): string {
  const folder = basename(path) === 'notebook.toml' ? dirname(path) : path;
  return resolve(folder);
}

/** Whether a path is an existing folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
