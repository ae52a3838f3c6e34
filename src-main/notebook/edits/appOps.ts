import type { AppEdit, PlacementEdit } from '../../../src-shared/wire/appLayout.ts';
import { cellIndexIn } from '../file/notebookFile.ts';
import { NotebookFileError } from '../toml/notebookFileError.ts';
import type { TomlOp, TomlPath } from '../toml/tomlOp.ts';
import { isTable, type TomlRecord, type TomlValue, valueAt } from '../toml/tomlValue.ts';

/**
 * Edits of notebook.toml that write the layout of the app view, value by value, so that two windows that change
 * different values both keep theirs. A table that an edit leaves empty is removed. Cells that the file no longer has
 * are left out.
 * @throws NotebookFileError when `app` is not a table in the file
 */
export function appOps(document: TomlRecord, { cells = {}, ...whole }: AppEdit): readonly TomlOp[] {
  return [
    ...tableOps(document, ['app'], whole),
    ...Object.entries(cells).flatMap(([id, edit]) => {
      const index = cellIndexIn(document, id as Parameters<typeof cellIndexIn>[1]); // an id that is none has no index
      return index === -1 ? [] : tableOps(document, ['cells', index, 'app'], edit);
    }),
  ];
}

function tableOps(
  document: TomlRecord,
  path: TomlPath,
  edit: PlacementEdit | Omit<AppEdit, 'cells'>,
): readonly TomlOp[] {
  const entries = Object.entries(edit).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return [];
  const before = valueAt(document, path);
  if (before !== undefined && !isTable(before)) {
    throw new NotebookFileError('app is not a table, so the layout of the app cannot be written there');
  }
  const after: Record<string, unknown> = { ...before };
  for (const [key, value] of entries) {
    if (value === null) delete after[key];
    else after[key] = writtenValue(value);
  }
  if (Object.keys(after).length === 0) return before === undefined ? [] : [{ op: 'remove', path }];
  if (before === undefined) return [{ op: 'set', path, value: after as Record<string, TomlValue> }];
  return entries.flatMap(([key, value]): TomlOp[] => {
    if (value !== null) return [{ op: 'set', path: [...path, key], value: writtenValue(value) }];
    return Object.hasOwn(before, key) ? [{ op: 'remove', path: [...path, key] }] : [];
  });
}

/** A value as written to the file: places of the grid are integers there. */
function writtenValue(value: string | boolean | readonly string[] | readonly number[]): TomlValue {
  if (typeof value !== 'object') return value;
  return value.map((item) => (typeof item === 'number' ? BigInt(item) : item));
}
