/** A filter condition of a table while it is edited, and its conversion to a finished condition. */

import { TABLE_WORDS } from '../../words/table.ts';
import type { ColumnKind } from './columnKind.ts';
import { filterValue, OPERATORS_OF, valuesOf } from './columnKind.ts';
import type { Filter, FilterValue, Operator } from './tableQuery.ts';

/** A condition while a person edits it. */
export interface ConditionDraft {
  readonly col: string;
  readonly op: Operator;
  readonly texts: readonly [string, string];
  readonly values: readonly FilterValue[];
}

export type DraftResult =
  | { readonly kind: 'filter'; readonly filter: Filter }
  /** `at`: the index of the field that the message is about. */
  | { readonly kind: 'problem'; readonly words: string; readonly at: 0 | 1 };

/** The draft of a new condition on a column, or of an existing one. */
export function draftOf(col: string, kind: ColumnKind, filter: Filter | null): ConditionDraft {
  const operators = OPERATORS_OF[kind];
  const isKnownOperator = filter !== null && operators.includes(filter.op);
  return {
    col,
    op: isKnownOperator ? filter.op : (operators[0] ?? 'eq'),
    texts: [
      String((isKnownOperator ? filter.value : undefined) ?? (kind === 'bool' ? 'true' : '')),
      String((isKnownOperator ? filter.value2 : undefined) ?? ''),
    ],
    values: (isKnownOperator ? filter.values : undefined) ?? [],
  };
}

/** The condition of a draft, or the problem with it. */
export function filterOfDraft({ col, op, texts, values }: ConditionDraft, kind: ColumnKind): DraftResult {
  const count = valuesOf(op);
  if (count === 'list') {
    if (values.length === 0) return { kind: 'problem', words: TABLE_WORDS.filterPick, at: 0 };
    return { kind: 'filter', filter: { col, op, values } };
  }
  const read = texts.slice(0, count).map((text) => filterValue(kind, text));
  const missing = read.indexOf(null);
  if (missing !== -1) {
    const words = kind === 'number' ? TABLE_WORDS.filterNumber : TABLE_WORDS.filterNeeded;
    return { kind: 'problem', words, at: missing === 1 ? 1 : 0 };
  }
  const [value, value2] = read;
  if (op === 'regex' && !isPattern(String(value))) {
    return { kind: 'problem', words: TABLE_WORDS.filterPattern, at: 0 };
  }
  const filter = {
    col,
    op,
    ...(value === undefined || value === null ? {} : { value }),
    ...(value2 === undefined || value2 === null ? {} : { value2 }),
  };
  return { kind: 'filter', filter };
}

/**
 * Whether a text is a valid regular expression. The server's rules are the same, except that it allows a leading
 * `(?i)`.
 */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text.replace(/^\(\?i\)/, ''), 'u') instanceof RegExp;
  } catch (_notOne) {
    return false;
  }
}
