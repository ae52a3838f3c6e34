/** Hover texts and completions for the editor from the values that the last run stored, such as a table's columns. */

import type { CompletionItem } from '../../../src-shared/wire/routes/language.ts';
import type { StoredValue } from '../document/notebookText.ts';
import { type Access, isPythonName } from '../document/pythonWord.ts';

/** Maximum number of columns and keys offered at once. */
const MAX_PARTS = 500;
const SHOWN_COLUMNS = 12;

/** A part of a value from the last run: a column of a table or a key of a dictionary. */
export interface Part {
  readonly name: string;
  readonly kind: 'column' | 'key';
  readonly type: string;
}

/** The parts of a value: the columns of a table, or the keys of a dictionary, which are in its JSON text. */
export function partsOf({ columns }: StoredValue, json: string | null): readonly Part[] {
  if (columns !== null) return columns.map(({ name, type }) => ({ name, kind: 'column' as const, type }));
  if (json === null) return [];
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).map(([name, one]) => ({ name, kind: 'key' as const, type: typeName(one) }));
  } catch {
    // A value that can no longer be read has no parts.
    return [];
  }
}

/** The completions at `access` from the parts of the value. */
export function offersOf(access: Access, parts: readonly Part[]): readonly CompletionItem[] {
  const fitting =
    access.kind === 'key'
      ? parts
      : // A key of a dictionary is not an attribute.
        parts.filter(({ name, kind }) => kind === 'column' && isPythonName(name));
  return fitting.slice(0, MAX_PARTS).map(({ name, kind, type }) => ({
    label: name,
    kind,
    detail: type,
    insert: access.kind === 'attribute' ? name : quoted(name, access.quote),
    replaces: access.span,
    from_run: true,
    item: null,
  }));
}

/** The name as a Python string, within the quotation mark that was typed or with its own quotes. */
function quoted(name: string, quote: string | null): string {
  const mark = quote ?? '"';
  const text = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(mark, `\\${mark}`);
  return quote === null ? `${mark}${text}${mark}` : text;
}

/** The hover text for the value of the last run, as Markdown. */
export function previewOf(value: StoredValue, json: string | null): string {
  const { rows, columns, contentType } = value;
  if (columns !== null) {
    // The schema came with the folder, so none of it is interpreted as Markdown.
    const columnTexts = columns
      .slice(0, SHOWN_COLUMNS)
      .map(({ name, type }) => `\`${plain(type === '' ? name : `${name}: ${type}`)}\``);
    const more = columns.length - columnTexts.length;
    const size = [...(rows === null ? [] : [counted(rows, 'row')]), counted(columns.length, 'column')];
    return `**Last run:** table, ${size.join(' × ')}\n\n${columnTexts.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
  }
  if (json !== null)
    return `**Last run:** \`${plain(json.length <= 200 ? json : `${json.slice(0, 199)}…`)}\``;
  return `**Last run:** \`${plain(contentType)}\`, ${counted(value.byteSize, 'byte')}`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

function plain(text: string): string {
  return text.replaceAll('`', "'").replace(/\s+/g, ' ');
}

function typeName(value: unknown): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return 'list';
  const names: Readonly<Record<string, string>> = { string: 'str', boolean: 'bool', object: 'dict' };
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return names[typeof value] ?? '';
}
