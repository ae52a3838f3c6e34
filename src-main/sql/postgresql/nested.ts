/** Parses PostgreSQL's text format of arrays and rows. */

import { UnsupportedValue } from '../unsupportedValue.ts';

/**
 * The items of an array in the server's format: `{1,NULL,"a \"b\""}`. Bounds that do not start at one (`[0:1]={1,2}`)
 * are ignored.
 * @throws UnsupportedValue for more than one dimension, because the number of dimensions of a column is not known in
 * advance
 */
export function arrayItems(text: string, delimiter: string): (string | null)[] {
  const start = text.indexOf('{') + 1;
  const items: (string | null)[] = [];
  let at = start;
  while (text[at] !== '}') {
    if (text[at] === '{') {
      throw new UnsupportedValue('an array of several dimensions; cast it: to_jsonb("column").');
    }
    const [item, end, quoted] = text[at] === '"' ? quotedItem(text, at) : bareItem(text, at, `${delimiter}}`);
    items.push(!quoted && item === 'NULL' ? null : item);
    at = text[end] === delimiter ? end + 1 : end;
  }
  return items;
}

/** The fields of a row in the server's format: `(1,,"a ""b""")`. An empty field is null; an empty string is quoted. */
export function compositeFields(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  let at = 1;
  for (;;) {
    const [field, end, quoted] = text[at] === '"' ? quotedItem(text, at) : bareItem(text, at, ',)');
    fields.push(!quoted && field === '' ? null : field);
    if (text[end] !== ',') return fields;
    at = end + 1;
  }
}

type Item = readonly [value: string, end: number, quoted: boolean];

/** A character after a backslash is literal, and so is a doubled quote. */
function quotedItem(text: string, open: number): Item {
  let value = '';
  let at = open + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined) throw new TypeError(`an unfinished value: ${text.slice(open, open + 40)}`);
    if (character === '"' && text[at + 1] !== '"') return [value, at + 1, true];
    if (character === '"' || character === '\\') at += 1;
    value += text[at] ?? '';
    at += 1;
  }
}

function bareItem(text: string, start: number, terminators: string): Item {
  let value = '';
  let at = start;
  while (at < text.length && !terminators.includes(text[at] ?? '')) {
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
    at += 1;
  }
  if (at >= text.length) throw new TypeError(`an unfinished value: ${text.slice(start, start + 40)}`);
  return [value, at, false];
}
