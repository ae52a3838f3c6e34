/** Formats the first rows of a SQL result as a Markdown table. */

import type { Column, Row } from '../columnType.ts';
import { shownValue } from './shown.ts';

/** The longest text in a cell of the Markdown table. */
const SHOWN_CHARACTERS = 200;

/** `2 rows × 2 cols` and the first rows as a Markdown table; NULL is shown as — (docs/spec/values.md, 2). */
export function markdownOf(columns: readonly Column[], rows: readonly Row[], total: number): string {
  const size = `${total.toLocaleString('en-US')} ${total === 1 ? 'row' : 'rows'} × ${columns.length} ${columns.length === 1 ? 'col' : 'cols'}`;
  if (columns.length === 0) return `${size}\n`;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = line(columns.map(({ name }) => escapeMarkdown(name)));
  const rule = line(columns.map(() => '---'));
  const body = rows.map((row) =>
    line(columns.map(({ type }, i) => cellText(shownValue(row[i] ?? null, type)))),
  );
  return `${[`**${size}**`, '', head, rule, ...body].join('\n')}\n`;
}

function cellText(value: unknown): string {
  if (value === null) return '—';
  const text =
    typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return escapeMarkdown(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

/** Escapes characters with a meaning in Markdown. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|~&$-]/g, (character) => `\\${character}`);
}
