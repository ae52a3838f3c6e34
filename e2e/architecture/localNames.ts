/** Finds variables whose name is only a participle (`found`, `kept`); used by localNames.test.ts. */

import ts from 'typescript';
import type { Source, Text } from './uiWords.ts';

/**
 * Participles that say what was done with a value but not what the value is: `found` may be a row, a path or a place.
 * A noun of the domain is clearer. `done`, `read` and `left` are not in the list, because they are also names for a
 * callback, a verb and a side.
 */
const PARTICIPLES =
  `agreed announced arrived asked awaited begun believed brought carried chosen counted dealt described drawn dropped
  ended followed found gathered given gone got grown heard held judged kept known learned led lent looked lost made met
  noted offered owed placed promised recalled rested said seen sent shown spoken stayed taken told torn touched tried
  waited walked wanted requested`.split(/\s+/);

/** Matches a declaration of such a variable, such as `const found`. */
export const VAGUE_VARIABLE = new RegExp(`\\b(?:const|let) (?:${PARTICIPLES.join('|')})\\b`);

/** The variables of a file that have a participle as their name. */
export function vagueVariables({ file, tree }: Source): Text[] {
  const names: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      PARTICIPLES.includes(node.name.text)
    ) {
      const keyword = node.parent.flags & ts.NodeFlags.Const ? 'const' : 'let';
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      names.push({ file, line: line + 1, text: `${keyword} ${node.name.text}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}
