/** Checks that a text is a Python expression. */

import { isPython3 } from './constructs.ts';
import { type ParsedText, partsOf } from './syntax.ts';

/** Statements that the grammar nests in an expression statement. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'assignment',
  'augmented_assignment',
  'named_expression',
  'yield',
]);

/** Whether a text is a single Python expression that `eval` accepts. */
export function isExpression({ text, root }: ParsedText): boolean {
  if (root === null || !isPython3({ text, root })) return false;
  const [statement, ...others] = partsOf(root);
  if (statement?.type !== 'expression_statement' || others.length > 0) return false;
  return !partsOf(statement).some(({ type }) => STATEMENTS.has(type));
}
