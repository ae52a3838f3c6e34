/** Finds the `;` at the end of an imported cell, which hides the cell's display in Jupyter. */

import { logicalLines } from './logicalLines.ts';

const STATEMENT =
  /^(?:import|from|def|class|return|for|while|if|elif|else|with|try|except|finally|del|assert|raise|pass|global|nonlocal|break|continue|async|type|@)\b|^@/;

/**
 * The last line of a text whose last statement ends with `;`, and whether that statement is an expression; otherwise
 * null.
 */
export function suppressedDisplayIn(
  text: string,
): { readonly line: string; readonly isExpression: boolean } | null {
  const last = logicalLines(text).findLast((line) => !line.isBlank);
  const bare = last?.bare.trim() ?? '';
  if (last === undefined || last.indent > 0 || !bare.endsWith(';')) return null;
  const statement = bare.replace(/;+$/, '').split(';').at(-1)?.trim() ?? '';
  const isExpression = statement !== '' && !STATEMENT.test(statement) && !assigns(statement);
  return { line: text.trimEnd().split('\n').at(-1)?.trim() ?? '', isExpression };
}

/** Whether there is a `=` outside of brackets that is not part of a comparison. */
function assigns(bare: string): boolean {
  let depth = 0;
  for (let at = 0; at < bare.length; at += 1) {
    const char = bare[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === '=' && depth === 0) {
      if (bare[at + 1] === '=') at += 1;
      else if (!'<>!'.includes(bare[at - 1] ?? ' ') || /(?:<<|>>)$/.test(bare.slice(0, at))) return true;
    }
  }
  return false;
}
