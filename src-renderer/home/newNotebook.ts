/** Validates the name of a new notebook and makes the path of its folder, for the dialog that creates it. */

import { HOME_WORDS } from '../words/home.ts';

/**
 * The error in the name of a new notebook, or null; the server has the same rules (docs/spec/rest-notebooks.md, 3.1).
 */
export function nameProblem(name: string): string | null {
  const text = name.trim();
  if (text === '') return HOME_WORDS.nameEmpty;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of what no path may hold
  return /[/\\\u0000]|\.\./.test(text) || text === '.' ? HOME_WORDS.nameBad : null;
}

/** The path of a new notebook's folder, with the separators that the parent folder's path uses. */
export function folderIn(parent: string, name: string): string {
  const separator = parent.includes('\\') && !parent.includes('/') ? '\\' : '/';
  return parent.endsWith(separator) ? parent + name : parent + separator + name;
}
