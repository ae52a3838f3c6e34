/** Edits of notebook.toml in memory, as the effects of a session make them, for tests of the reducers. */

import type { VariantEdit } from '../../notebook/edits/variantEdits.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { Effect } from '../state/events.ts';
import { namedAuthor } from '../state/namedAuthor.ts';

/** notebook.toml after a variant was chosen. */
export function withSetting(file: NotebookFile, { group, active, mode }: VariantEdit): NotebookFile {
  const before = file.variantGroups.find((one) => one.group === group);
  const others = file.variantGroups.filter((one) => one !== before);
  const entry = { group, active: active ?? before?.active ?? '', mode: mode ?? before?.mode ?? 'switch' };
  return { ...file, variantGroups: [...others, entry] };
}

/** The file after an edit. */
export function withAuthor(
  file: NotebookFile,
  { cellId: id, author }: Extract<Effect, { type: 'write_source' }>,
): NotebookFile {
  const updatedBy = namedAuthor(author);
  if (updatedBy === null) return file;
  return { ...file, cells: file.cells.map((entry) => (entry.id === id ? { ...entry, updatedBy } : entry)) };
}
