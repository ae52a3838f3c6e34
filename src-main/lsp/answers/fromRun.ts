/** Hover and completion details from the values of the last run. */

import type { CompletionItem } from '../../../src-shared/wire/routes/language.ts';
import type { StoredValue } from '../document/notebookText.ts';
import { type Access, isPythonName } from '../document/pythonWord.ts';

/** Columns and keys offered at once. */
const MAX_PARTS = 500;
const SHOWN_COLUMNS = 12;

/** A part of a value that the last run left: a column of a table, a key of a dictionary. */
export interface Part {
  readonly name: string;
  readonly kind: 'column' | 'key';
  readonly type: string;
}

/** The parts of a table; those of a dictionary are in its text. */
export function partsOf({ columns }: StoredValue, json: string | null): readonly Part[] {
  if (columns !== null) return columns.map(({ name, type }) => ({ name, kind: 'column' as const, type }));
  if (json === null) return [];
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).map(([name, one]) => ({ name, kind: 'key' as const, type: typeName(one) }));
  } catch {
    // A value that no longer reads has no parts to offer.
    return [];
  }
}

/** What may be written at `access`, of the value's parts. */
export function offersOf(access: Access, parts: readonly Part[]): readonly CompletionItem[] {
  const fitting =
    access.kind === 'key'
      ? parts
      : // A key of a dictionary is no attribute of it.
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

/** As it is spelled in Python, within the quotation mark that was typed or with one of its own. */
function quoted(name: string, quote: string | null): string {
  const mark = quote ?? '"';
  const text = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(mark, `\\${mark}`);
  return quote === null ? `${mark}${text}${mark}` : text;
}

/** What a hover says of the value of the last run, as Markdown. */
export function previewOf(value: StoredValue, json: string | null): string {
  const { rows, columns, contentType } = value;
  if (columns !== null) {
    // The schema came with the folder: nothing of it is read as Markdown.
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
