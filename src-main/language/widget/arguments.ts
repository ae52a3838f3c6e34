/** Reads the arguments of the controls that a widget cell declares, such as `slider(1, 10)`. */

import { fieldOf, nameOf, partsOf, type Syntax } from '../python/syntax.ts';
import { type Literal, readLiteral } from './literal.ts';

/** The arguments of a declared control by name, in source order. */
export type Arguments = ReadonlyMap<string, Literal>;

/**
 * Reads the arguments of a call. Each problem is a message that a run fails with
 * (docs/spec/widgets-and-app-view.md, 1).
 */
export function readArguments(
  source: string,
  call: { readonly args: Syntax; readonly positional: readonly string[]; readonly what: string },
): { readonly values: Arguments; readonly problems: readonly string[] } {
  const { args, positional, what } = call;
  const values = new Map<string, Literal>();
  const problems: string[] = [];
  if (args.type !== 'argument_list') {
    return { values, problems: [`the arguments of ${what} must be literal values.`] };
  }
  let at = 0;
  for (const node of partsOf(args)) {
    if (node.type === 'list_splat' || node.type === 'dictionary_splat') {
      problems.push(`\`*\` and \`**\` are not supported: write all arguments of ${what} literally.`);
      continue;
    }
    const isNamed = node.type === 'keyword_argument';
    const key = isNamed ? fieldOf(node, 'name') : undefined;
    const name = isNamed ? (key === undefined ? '' : nameOf(source, key)) : positional[at++];
    if (name === undefined) {
      problems.push(tooMany(what, positional));
      break;
    }
    const value = isNamed ? fieldOf(node, 'value') : node;
    const result = value === undefined ? null : readLiteral(source, value);
    if (result === null) problems.push(`\`${name}\` has no value.`);
    else if (result.kind === 'refused') problems.push(`\`${name}\`: ${result.why}.`);
    else if (values.has(name)) problems.push(`\`${name}\` is given twice.`);
    else values.set(name, result.literal);
  }
  return { values, problems };
}

function tooMany(what: string, positional: readonly string[]): string {
  const names = positional.map((name) => `\`${name}\``).join(' and ');
  return `${what} takes ${names} by position and all other arguments by name, as in ${what}(…, default=…).`;
}
