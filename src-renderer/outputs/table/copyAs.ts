/** Formats the selected cells of a table for the clipboard: tab-separated text, Markdown, JSON or pandas code. */

import { shortValue } from '../jsonText.ts';
import { pythonText } from './code/codeTable.ts';
import { tsvOf } from './gridSelection.ts';

/** How cells are copied. */
export type CopyFormat = 'tsv' | 'markdown' | 'json' | 'code';

interface CopiedCells {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Cells as text, with column names, except in the format for spreadsheets. */
export function copiedText(format: CopyFormat, { names, rows }: CopiedCells): string {
  switch (format) {
    case 'tsv':
      return tsvOf(rows.map((row) => row.map(shortValue)));
    case 'markdown':
      return [names, names.map(() => '---'), ...rows.map((row) => row.map(shortValue))]
        .map((line) => `| ${line.map(markdownCell).join(' | ')} |`)
        .join('\n');
    case 'json':
      return JSON.stringify(
        rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))),
        null,
        2,
      );
    case 'code':
      return frameCode({ names, rows });
  }
}

function markdownCell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\r?\n/g, '<br>');
}

/** A pandas frame with these values. */
function frameCode({ names, rows }: CopiedCells): string {
  const columns = names.map(
    (name, at) => `    ${pythonText(name)}: [${rows.map((row) => pythonLiteral(row[at])).join(', ')}],`,
  );
  return ['import pandas as pd', '', 'df = pd.DataFrame({', ...columns, '})', 'df'].join('\n');
}

function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${pythonText(key)}: ${pythonLiteral(one)}`)
    .join(', ')}}`;
}
