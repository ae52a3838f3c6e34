/** Finds names and `await` in the code of an imported Jupyter cell that runs with the cell, outside functions. */

import { logicalLines } from './logicalLines.ts';

/** The statements that run with a cell: without function definitions, with empty strings. */
function topLevelStatements(source: string): readonly string[] {
  const statements: string[] = [];
  let inside: number | null = null;
  for (const { isBlank, indent, bare } of logicalLines(source)) {
    if (isBlank) continue;
    if (inside !== null && indent <= inside) inside = null;
    if (inside !== null) continue;
    const statement = bare.trim();
    if (/^(?:async\s+)?def\b/.test(statement)) inside = indent;
    else statements.push(statement);
  }
  return statements;
}

/** Whether a cell awaits outside of functions, which only a kernel or a cell allows. */
export function awaitsAtTop(source: string): boolean {
  return topLevelStatements(source).some((statement) => /\bawait\b|^async\s+(?:for|with)\b/.test(statement));
}

/** Whether a name occurs in a statement that runs with the cell. */
export function isUsedAtTop(source: string, name: string): boolean {
  const use = new RegExp(`(?<![\\w.])${name}(?!\\w)`);
  return topLevelStatements(source).some((statement) => use.test(statement));
}

/** Statements that bind `_`: loops, assignments, parameters, patterns and imports. */
const BINDS_UNDERSCORE =
  /(?<![\w.])_\s*(?:,[^=\n]*)?=(?!=)|,\s*\*?_\s*[,)\]]?[^=\n]*=(?!=)|\bfor\b[^:\n]*(?<![\w.])_(?!\w)[^:\n]*\bin\b|\b(?:as|import|global|case)\s[^\n]*(?<![\w.])_(?!\w)|\blambda\b[^:\n]*(?<![\w.])_(?!\w)|\bdef\b[^\n]*(?<![\w.])_(?!\w)|(?<![\w.])_\s*:=/;

/** Whether a cell reads `_` without giving it a value: in Jupyter, the last output. */
export function readsLastOutput(source: string): boolean {
  const lines = logicalLines(source).map(({ bare }) => bare);
  return (
    lines.some((bare) => /(?<![\w.])_(?!\w)/.test(bare)) && !lines.some((bare) => BINDS_UNDERSCORE.test(bare))
  );
}
