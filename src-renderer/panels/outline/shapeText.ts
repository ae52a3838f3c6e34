/**
 * Writes short descriptions of variables for the Outline panel: `1.2 M × 9` for a table, `"Lyon"` for a string, `42`
 * for a number.
 */

import { parseStoredJson } from '../../../src-shared/notebook/storedJson.ts';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import type { VariableRow } from '../../state/outline.ts';
import { bytesText, countText } from '../../words/strings.ts';

const IMPORT = 'module/import';

/**
 * The description of a variable; empty if nothing is known.
 * @param variable the stored facts, used if this window has received no frame about the variable
 */
export function shapeText(
  row: VariableRow,
  model: CellModel | undefined,
  variable: StoredVariable | undefined,
): string {
  if (model === undefined) return '';
  const preview = model.previews[row.name];
  if (preview !== undefined) {
    // An import shows only its name, or "module" if cells read it.
    if (preview.content_type === IMPORT) return row.uri === null ? '' : 'module';
    // A value that only Python can read shows its text if that is short, otherwise its type: `<dict object>`.
    if (preview.type !== undefined) return isShort(preview.text) ? preview.text : preview.type;
    return shapeOf({
      rows: preview.rows ?? null,
      columns: preview.columns?.length ?? null,
      preview: preview.preview,
      isPart: preview.preview_truncated,
    });
  }
  if (variable !== undefined) return keptText(variable);
  const tableDisplay = model.cell.display_outputs.find(
    (output) => output.artifact_uri !== null && output.artifact_uri === row.uri,
  );
  return tableDisplay === undefined
    ? ''
    : shapeOf({
        rows: tableDisplay.rows,
        columns: tableDisplay.columns?.length ?? null,
        preview: tableDisplay.preview,
        isPart: tableDisplay.preview_truncated,
      });
}

function shapeOf(value: {
  readonly rows: number | null;
  readonly columns: number | null;
  readonly preview?: unknown;
  /** Whether the preview is only part of the value: a collection then has at least that many items. */
  readonly isPart?: true | undefined;
}): string {
  if (value.rows !== null) {
    const rows = shortCount(value.rows);
    return value.columns === null ? rows : `${rows} × ${value.columns}`;
  }
  const text = valueText(value.preview);
  return value.isPart === true ? text.replace(/[\]}]$/, '+$&') : text;
}

function keptText({ content_type, rows, columns, value, byte_size }: StoredVariable): string {
  if (content_type === IMPORT) return 'module';
  if (rows !== null) return shapeOf({ rows, columns });
  if (value === null) return bytesText(byte_size);
  try {
    return valueText(parseStoredJson(value));
  } catch (error) {
    if (error instanceof SyntaxError) return bytesText(byte_size);
    throw error;
  }
}

/** The longest string that is shown in full beside a name, in characters. */
const SHORT = 24;

function isShort(text: string | undefined): text is string {
  return text !== undefined && text.length <= SHORT && !text.includes('\n');
}

/** A small value as written; a collection by its size. */
function valueText(value: unknown): string {
  if (typeof value === 'string')
    return value.length > SHORT ? `"${value.slice(0, SHORT - 1)}…"` : `"${value}"`;
  // At most six significant digits.
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${countText(value.length)}]`;
  return typeof value === 'object' ? `{${countText(Object.keys(value).length)}}` : '';
}

/** For example 334, 12,400, 1.2 M, 3.4 B. */
export function shortCount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} B`;
  return count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : countText(count);
}
