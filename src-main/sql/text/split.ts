/** Splits the tokens of a SQL text into statements. */

import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { type Token, upperCaseWord } from '../../../src-shared/sql/scan.ts';
import { SqlError } from '../sqlError.ts';

/**
 * The tokens of each statement, without comments and separating semicolons; empty statements are left out. A semicolon
 * inside brackets, the body of a trigger or a block of a script does not end a statement.
 * @throws SqlError for a bracket that is not closed, or closed without being opened
 */
export function splitStatements(tokens: readonly Token[], dialect: Dialect): readonly (readonly Token[])[] {
  const statements: Token[][] = [];
  let current: Token[] = [];
  const open: Token[] = [];
  let blocks = 0;
  for (const token of tokens) {
    if (token.kind === 'comment') continue;
    if (token.kind === 'punctuation') trackBrackets(open, token);
    if (token.text === ';' && open.length === 0 && blocks === 0) {
      if (current.length > 0) statements.push(current);
      current = [];
      continue;
    }
    current.push(token);
    blocks = blocksAfter(blocks, current, dialect);
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    throw new SqlError(`A "${unclosed.text}" is never closed.`, { position: unclosed.start });
  }
  while (current.at(-1)?.text === ';') current.pop();
  if (current.length > 0) statements.push(current);
  return statements;
}

const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function trackBrackets(open: Token[], token: Token): void {
  if (token.text === '(' || token.text === '[' || token.text === '{') open.push(token);
  const opener = CLOSES[token.text];
  if (opener === undefined) return;
  const last = open.pop();
  if (last?.text === opener) return;
  const words = last === undefined ? 'closes nothing' : `does not close the "${last.text}" before it`;
  throw new SqlError(`This "${token.text}" ${words}.`, { position: token.start });
}

/** The number of open blocks after the last token: of a trigger, a SQL function or a script. */
function blocksAfter(before: number, statement: readonly Token[], dialect: Dialect): number {
  const word = upperCaseWord(statement.at(-1));
  const isScript = dialect.name === 'snowflake' || dialect.name === 'bigquery';
  if (before === 0) {
    if (word !== 'BEGIN' && !(word === 'ATOMIC' && upperCaseWord(statement.at(-2)) === 'BEGIN')) return 0;
    const isDefinition = upperCaseWord(statement[0]) === 'CREATE';
    if (isDefinition && word === 'BEGIN') return dialect.name === 'postgresql' ? 0 : 1;
    return isDefinition ? 1 : 0;
  }
  if (word === 'CASE' || word === 'BEGIN') return before + 1;
  if (word === 'END') return before - 1;
  return isScript && /^(IF|LOOP|WHILE|FOR|REPEAT)$/.test(word) && upperCaseWord(statement.at(-2)) === 'END'
    ? before
    : before;
}
