/** Distinguishes references to arrays from tables in the FROM lists of BigQuery. */

import { type Token, upperCaseWord } from './scan.ts';
import type { NameAt } from './tableName.ts';

/** A source with the name by which the rest of its query refers to it. */
interface RangeName {
  readonly name: string;
  /** Index of the source's first token. */
  readonly at: number;
}

/** Words that may follow a source without being its alias. */
const NO_ALIAS = new Set(
  `ON USING JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT
  EXCEPT FOR TABLESAMPLE PIVOT UNPIVOT WITH`.split(/\s+/),
);

/**
 * Distinguishes the arrays of rows among the sources of a BigQuery query, `FROM orders AS o, o.items`, from
 * tables. Call for each source in the order of the text.
 */
export class RangeNames {
  readonly #tokens: readonly Token[];
  readonly #fromQuoted: (text: string) => string;
  readonly #known: RangeName[] = [];

  constructor(tokens: readonly Token[], fromQuoted: (text: string) => string) {
    this.#tokens = tokens;
    this.#fromQuoted = fromQuoted;
  }

  /** Whether a name begins with that of an earlier source, of its own query or of an enclosing one. */
  isField({ parts }: Pick<NameAt, 'parts'>, at: number): boolean {
    const first = (parts[0] ?? '').toLowerCase();
    return parts.length > 1 && this.#known.some((one) => one.name === first && this.#sees(one.at, at));
  }

  /** Adds a source: the name after it is its alias; without one its name is the last part. */
  add({ parts, nextAt }: Pick<NameAt, 'parts' | 'nextAt'>, at: number): void {
    const isAs = upperCaseWord(this.#tokens[nextAt]) === 'AS';
    const alias = this.#tokens[nextAt + (isAs ? 1 : 0)];
    const isAlias =
      alias?.kind === 'name' || (alias?.kind === 'word' && (isAs || !NO_ALIAS.has(upperCaseWord(alias))));
    const name = !isAlias ? parts.at(-1) : alias.kind === 'name' ? this.#fromQuoted(alias.text) : alias.text;
    if (name !== undefined) this.#known.push({ name: name.toLowerCase(), at });
  }

  /** Visible until the query with the source ends: at its bracket, or at a set operation like UNION. */
  #sees(from: number, to: number): boolean {
    let depth = 0;
    for (const token of this.#tokens.slice(from, to)) {
      if (token.text === '(') depth += 1;
      else if (token.text === ')') depth -= 1;
      const isOver = depth < 0 || (depth === 0 && /^(UNION|INTERSECT|EXCEPT)$/.test(upperCaseWord(token)));
      if (isOver) return false;
    }
    return true;
  }
}
