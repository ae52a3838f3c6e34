/** Messages for users about functions and classes that cannot be shared with other cells. */

import type { BlockReason } from '../../../src-shared/wire/harness.ts';

/** The maximum number of reasons in a message; more would not help the reader. */
const MAX_REASONS = 4;

/** Why a function or class cannot be used by other cells, and what to do about it. */
export function blockedWords(name: string, reasons: readonly BlockReason[]): string {
  return `\`${name}\` cannot be shared with other cells. ${sentences(name, reasons)}`;
}

/** The message about several names: a line that lists them, then one line per name. */
export function blockedNamesWords(blocked: readonly (readonly [string, readonly BlockReason[]])[]): string {
  const [only, ...others] = blocked;
  if (only !== undefined && others.length === 0) return blockedWords(...only);
  const names = blocked.map(([name]) => `\`${name}\``);
  const head = `${names.slice(0, -1).join(', ')} and ${names.at(-1)} cannot be shared with other cells.`;
  return [head, ...blocked.map(([name, reasons]) => `${name}: ${sentences(name, reasons)}`)].join('\n');
}

function sentences(symbol: string, reasons: readonly BlockReason[]): string {
  const lines = reasons.slice(0, MAX_REASONS).map((reason) => `${sentence(symbol, reason)}.`);
  return [
    ...lines,
    ...(reasons.length > MAX_REASONS ? [`And ${reasons.length - MAX_REASONS} more.`] : []),
  ].join(' ');
}

function sentence(symbol: string, { code, name, within, detail }: BlockReason): string {
  const user = within === '' || within === symbol ? 'It' : `\`${within}\`, which it needs,`;
  switch (code) {
    case 'lambda':
      return name === symbol
        ? `It is a lambda: write it as \`def ${name}(…):\``
        : `${user} uses \`${name}\`, which is a lambda: write that as \`def ${name}(…):\``;
    case 'star_import':
      return `The cell imports everything from \`${name}\`, so Cellar cannot know which names that defines: import the names you need`;
    case 'unknown':
      return `${user} uses \`${name}\`, which is not defined in this cell or a cell above: import or define it here, or pass it as an argument`;
    case 'unknown_at_definition':
      return `\`${within}\` needs \`${name}\` where it is defined (decorator, default, base class, annotation or class body), but neither this cell nor a cell above defines it: import or define it here`;
    case 'changed_after':
      return `\`${within}\` is defined with \`${name}\`, which is reassigned further down: assign it once, above`;
    case 'rebound':
      return `\`${name}\` is changed by other code of this cell after its definition: do not change it, or use another name`;
    case 'closure':
      return `It was created inside \`${within}\` and holds values of that call: define it at the top level of the cell, or share \`${within}\` and call it where needed`;
    case 'missing':
      return `${user} uses \`${name}\`, which had no value when the cell ended`;
    case 'unstorable':
      return `${user} uses \`${name}\`, whose value cannot be stored${detail === undefined ? '' : `: ${detail}`}`;
    case 'circular':
      return `\`${name}\` is created by \`${within}\` of this cell and needed where the code is defined: create it inside a function, or in a cell below`;
    case 'changed_attribute':
      return `This cell changes \`${within}.${name}\`, and \`${within}\` reaches other cells as its own cell defines it: set \`${name}\` there or, if it is a class, in a subclass defined here`;
    default:
      return code satisfies never;
  }
}
