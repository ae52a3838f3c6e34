import type { CellModel } from '../../state/notebookModel.ts';
import type { VariableRow } from '../../state/outline.ts';
import { countText } from '../../ui/strings.ts';

/** 1.2 M × 9, 334 × 3, "Lyon", 42: what a variable is, at a glance; empty where nobody said. */
export function shapeText(row: VariableRow, model: CellModel | undefined): string {
  if (model === undefined) return '';
  const told = model.previews[row.name];
  if (told !== undefined) {
    const text = shapeOf({ rows: told.rows ?? null, columns: told.columns ?? null, preview: told.preview });
    return text === '' ? (told.type ?? '') : text;
  }
  const shown = model.cell.display_outputs.find(
    (output) => output.artifact_uri !== null && output.artifact_uri === row.uri,
  );
  return shown === undefined ? '' : shapeOf(shown);
}

function shapeOf(value: {
  readonly rows: number | null;
  readonly columns: readonly string[] | null;
  readonly preview?: unknown;
}): string {
  if (value.rows !== null) {
    const rows = shortCount(value.rows);
    return value.columns === null ? rows : `${rows} × ${value.columns.length}`;
  }
  return valueText(value.preview);
}

/** A small value as it is written; a collection by its size. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value.length > 24 ? `"${value.slice(0, 23)}…"` : `"${value}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${countText(value.length)}]`;
  return typeof value === 'object' ? `{${countText(Object.keys(value).length)}}` : '';
}

/** 334, 12,400, 1.2 M, 3.4 B. */
export function shortCount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} B`;
  return count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : countText(count);
}
