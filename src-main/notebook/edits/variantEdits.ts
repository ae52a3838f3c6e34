/** Makes the edits of notebook.toml that choose, remove and restore variants of a group. */

import type { TomlOp } from '../toml/tomlOp.ts';
import { isTable, type TomlRecord, type TomlValue } from '../toml/tomlValue.ts';
import type { NotebookText } from './notebookEdits.ts';

/** The settings of a group of variants to write; null leaves that part unchanged. */
export interface VariantEdit {
  readonly group: string;
  /** The id of the active member; empty: the first in cell order. */
  readonly active: string | null;
  readonly mode: 'switch' | 'sweep' | null;
}

/** The change of a deletion to its group's entry, so that an undo can revert it. */
export interface DeletedVariant {
  readonly group: string;
  /** The previous value of the entry. */
  readonly active: string;
  readonly mode: 'switch' | 'sweep';
  /** The member that was promoted; null: the entry was removed with its last member. */
  readonly promoted: string | null;
}

const KEY = 'variant_group';

function entriesOf(document: TomlRecord): readonly unknown[] {
  const list = Object.hasOwn(document, KEY) ? document[KEY] : undefined;
  return Array.isArray(list) ? list : [];
}

function indexOf(document: TomlRecord, group: string): number {
  return entriesOf(document).findIndex((entry) => isTable(entry) && entry['group'] === group);
}

/**
 * The edits that write a group's settings. `mode` is written only if it is not switch; a group with default settings
 * has no entry (docs/spec/analysis-and-graph.md, 3.2).
 */
export function variantOps({ document }: NotebookText, edit: VariantEdit): readonly TomlOp[] {
  const { group, active, mode } = edit;
  const index = indexOf(document, group);
  if (index === -1) {
    if (active === null && mode !== 'sweep') return [];
    const value: Record<string, TomlValue> = { group, active: active ?? '' };
    if (mode === 'sweep') value['mode'] = mode;
    return [{ op: 'insert', path: [KEY], index: entriesOf(document).length, value }];
  }
  const entry = entriesOf(document)[index];
  const path = [KEY, index];
  const ops: TomlOp[] = [];
  if (active !== null) ops.push({ op: 'set', path: [...path, 'active'], value: active });
  if (mode === 'sweep') ops.push({ op: 'set', path: [...path, 'mode'], value: mode });
  if (mode === 'switch' && isTable(entry) && Object.hasOwn(entry, 'mode')) {
    ops.push({ op: 'remove', path: [...path, 'mode'] });
  }
  return ops;
}

/** The edits of notebook.toml after a variant was deleted: another is active, or the group has ended. */
export function deletedVariantOps(
  text: NotebookText,
  { group, promoted }: DeletedVariant,
): readonly TomlOp[] {
  if (promoted !== null) return variantOps(text, { group, active: promoted, mode: null });
  const index = indexOf(text.document, group);
  return index === -1 ? [] : [{ op: 'remove', path: [KEY, index] }];
}

/** Restores what {@link deletedVariantOps} removed, unless the setting has been changed since. */
export function restoredVariantOps(text: NotebookText, deleted: DeletedVariant): readonly TomlOp[] {
  const { group, active, mode, promoted } = deleted;
  const entry = entriesOf(text.document)[indexOf(text.document, group)];
  const isAsLeft = promoted === null ? entry === undefined : isTable(entry) && entry['active'] === promoted;
  return isAsLeft ? variantOps(text, { group, active, mode: promoted === null ? mode : null }) : [];
}
