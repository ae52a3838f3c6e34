/** Writes a filter condition of a table as a short text, for its chip. */

import { TABLE_WORDS } from '../../words/table.ts';
import { labelOf } from './columnLayout.ts';
import { alternativesOf, type Condition, type Filter } from './tableQuery.ts';

/** The most values of a list that are written out. */
const NAMED = 3;

/** A filter condition as a short text, such as `km > 5` or `station in a, b or 4 more`. */
export function conditionWords(condition: Condition): string {
  return alternativesOf(condition).map(filterWords).join(` ${TABLE_WORDS.or} `);
}

function filterWords({ col, op, value, value2, values }: Filter): string {
  const list =
    values === undefined
      ? [value, value2]
          .filter((one) => one !== undefined)
          .map(String)
          .join(` ${TABLE_WORDS.and} `)
      : listWords(values.map(String));
  return [labelOf(col) || TABLE_WORDS.index, TABLE_WORDS.opSigns[op], list]
    .filter((part) => part !== '')
    .join(' ');
}

function listWords(values: readonly string[]): string {
  const texts = values.slice(0, NAMED).map((value) => (value === '' ? TABLE_WORDS.emptyText : value));
  const more = values.length - texts.length;
  return more === 0 ? texts.join(', ') : `${texts.join(', ')} ${TABLE_WORDS.andMore(String(more))}`;
}
