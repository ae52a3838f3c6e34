import { UnsupportedValue } from '../unsupportedValue.ts';

/**
 * The items of an array as the server writes it: `{1,NULL,"a \"b\""}`. Bounds that do not begin at one are written before it
 * (`[0:1]={1,2}`) and are ignored.
 * @throws UnsupportedValue for several dimensions, because their number is not part of a column's type
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

/** The fields of a row as the server writes it: `(1,,"a ""b""")`; an empty field is null, an empty text is quoted. */
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

/** After a backslash any character is literal; a doubled quote is one quote. */
function quotedItem(text: string, opening: number): Item {
  let value = '';
  let at = opening + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined)
      throw new TypeError(`an unfinished value: ${text.slice(opening, opening + 40)}`);
    if (character === '"' && text[at + 1] !== '"') return [value, at + 1, true];
    if (character === '"' || character === '\\') at += 1;
    value += text[at] ?? '';
    at += 1;
  }
}

function bareItem(text: string, start: number, ends: string): Item {
  let value = '';
  let at = start;
  while (at < text.length && !ends.includes(text[at] ?? '')) {
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
    at += 1;
  }
  if (at >= text.length) throw new TypeError(`an unfinished value: ${text.slice(start, start + 40)}`);
  return [value, at, false];
}
