/** Finds the common table expressions (WITH) of a SQL statement and the scope of each. */

import { type Token, upperCaseWord } from './scan.ts';

/** A common table; its scope is given in indexes of tokens. */
interface CommonTable {
  readonly name: string;
  readonly quoted: boolean;
  readonly isRecursive: boolean;
  /** The start of its definition, its end, and the end of the query it belongs to. */
  readonly scopeStart: number;
  readonly bodyEnd: number;
  readonly scopeEnd: number;
}

/** The tables of `WITH a AS (…), b(x) AS MATERIALIZED (…)`, for every WITH. */
export function commonTables(
  tokens: readonly Token[],
  fromQuoted: (text: string) => string,
): readonly CommonTable[] {
  const tables: CommonTable[] = [];
  // For each open bracket, and for the whole text: whether its last WITH is RECURSIVE, and its index.
  const withs: { isRecursive: boolean; at: number }[] = [{ isRecursive: false, at: 0 }];
  for (const [i, token] of tokens.entries()) {
    if (token.text === '(') withs.push({ isRecursive: false, at: i });
    if (token.text === ')') withs.pop();
    if (upperCaseWord(token) === 'WITH' && token.kind === 'word') {
      withs.splice(-1, 1, { isRecursive: upperCaseWord(tokens[i + 1]) === 'RECURSIVE', at: i });
    }
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    const before = tokens[i - 1];
    const isFirst =
      upperCaseWord(before) === 'WITH' || upperCaseWord(before) === 'RECURSIVE' || before?.text === ',';
    if (!isFirst) continue;
    let next = i + 1;
    if (tokens[next]?.text === '(') next = behindBracket(tokens, next);
    if (upperCaseWord(tokens[next]) !== 'AS') continue;
    next += 1;
    if (upperCaseWord(tokens[next]) === 'NOT') next += 1;
    if (upperCaseWord(tokens[next]) === 'MATERIALIZED') next += 1;
    if (tokens[next]?.text !== '(') continue;
    const name = token.kind === 'name' ? fromQuoted(token.text) : token.text;
    const { isRecursive = false, at = 0 } = withs.at(-1) ?? {};
    tables.push({
      name,
      quoted: token.kind === 'name',
      isRecursive,
      scopeStart: isRecursive ? at : i,
      bodyEnd: behindBracket(tokens, next),
      scopeEnd: closing(tokens, i),
    });
  }
  return tables;
}

/** The bracket that closes the one around a token; the number of tokens if there is none. */
function closing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.text === '(') depth += 1;
    else if (tokens[i]?.text === ')') depth -= 1;
    if (depth < 0) return i;
  }
  return tokens.length;
}

function behindBracket(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.text === '(') depth += 1;
    else if (tokens[i]?.text === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
}
