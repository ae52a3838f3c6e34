/** Makes the source of a cell that reads a mount, for the Data panel. */

import { fileUse, type NotebookFacts, readingCell } from './dataFiles.ts';

/**
 * The Python text of a cell that reads a mount and shows it: a table if the mount's URI has the extension of one,
 * otherwise the files of the folder. In a cell, the mount's name is a variable with its path.
 */
export function mountCell(
  { name, uri }: { readonly name: string; readonly uri: string },
  around: Pick<NotebookFacts, 'taken' | 'packages'>,
): string {
  const path = uri.replace(/[?#].*$/, '');
  if (fileUse(path) !== 'table')
    return `from pathlib import Path\n\nsorted(str(path) for path in Path(${name}).rglob("*"))[:100]`;
  const usedNames = new Set([...around.taken, name]);
  const source = readingCell(`${name}_table${/(?:\.(?:csv|tsv))?\.\w+$/i.exec(path)?.[0] ?? ''}`, {
    ...around,
    taken: usedNames,
  });
  // The path is read from the mount's variable, so the string literal is replaced.
  return (source ?? '').replace(/\("[^"]*"/, () => `(${name}`);
}
