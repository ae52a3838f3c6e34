/**
 * Determines the type, size and other facts of a stored variable that the Outline panel shows, and filters variables by
 * typed words.
 */

import { parseStoredJson } from '../../../src-shared/notebook/storedJson.ts';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import type { VariableRow } from '../../state/outline.ts';
import { WORKBENCH } from '../../words/workbench.ts';

/** Facts about a stored variable other than its shape. */
export interface VariableFacts {
  /** Table, string, list and so on, or the class of a Python object. */
  readonly type: string;
  readonly bytes: number | null;
  /** The value or its start, for a dialog; null for a table and if it is not known. */
  readonly preview: string | null;
  readonly isTable: boolean;
}

const TABLE = 'arrow/ipc';
const MODULE = 'module/import';
const JSON_OBJECT = 'json/object';
const TYPES: Readonly<Record<string, string>> = {
  [TABLE]: WORKBENCH.variableType.table,
  [MODULE]: WORKBENCH.variableType.module,
  'text/markdown': WORKBENCH.variableType.text,
  'text/plain': WORKBENCH.variableType.text,
};
const SPACES = 2;

/** @param variable the stored facts, used if this window has received no frame about the variable */
export function variableFacts(
  { name }: VariableRow,
  model: CellModel | undefined,
  variable: StoredVariable | undefined,
): VariableFacts | null {
  const live = model?.previews[name];
  const contentType = live?.content_type ?? variable?.content_type;
  if (contentType === undefined) return null;
  const bytes = live?.bytes ?? variable?.byte_size ?? null;
  const isTable = contentType === TABLE;
  const value = isTable ? undefined : live === undefined ? storedValue(variable) : live.preview;
  const isPart = live?.preview_truncated === true;
  const text = value === undefined ? null : (JSON.stringify(value, null, SPACES) ?? null);
  return {
    type:
      live?.type ??
      TYPES[contentType] ??
      (contentType === JSON_OBJECT ? typeOf(value) : WORKBENCH.variableType.object),
    bytes,
    preview: live?.text ?? (text !== null && isPart ? `${text}\n…` : text),
    isTable,
  };
}

function storedValue(variable: StoredVariable | undefined): unknown {
  if (variable?.value == null) return undefined;
  try {
    return parseStoredJson(variable.value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function typeOf(value: unknown): string {
  const { variableType: words } = WORKBENCH;
  if (value === undefined) return words.value;
  if (value === null) return words.none;
  if (Array.isArray(value)) return words.list;
  if (typeof value === 'string') return words.text;
  if (typeof value === 'number' || typeof value === 'bigint') return words.number;
  return typeof value === 'boolean' ? words.boolean : words.dict;
}

/** Variables whose name, type or shape contains every typed word. */
export function foundVariables<T extends { readonly name: string; readonly words: string }>(
  variables: readonly T[],
  typed: string,
): readonly T[] {
  const queryWords = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return variables.filter(({ name, words }) => {
    const text = `${name} ${words}`.toLowerCase();
    return queryWords.every((word) => text.includes(word));
  });
}
