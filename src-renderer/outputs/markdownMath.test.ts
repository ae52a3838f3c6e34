import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { markdownMath } from './markdownMath.ts';

const markdown = new MarkdownIt({ html: false }).use(markdownMath);

/** The formulas of a text: inline or block, and their TeX. */
function formulas(text: string): string[] {
  const found = markdown.render(text).matchAll(/data-math="(\w+)">([^<]*)</g);
  return [...found].map(([, kind, tex]) => `${kind}: ${tex}`);
}

const ROWS: readonly (readonly [string, string, readonly string[]])[] = [
  ['in a line', 'a $x^2$ b', ['inline: x^2']],
  ['two of them', '$a$ and $b$', ['inline: a', 'inline: b']],
  ['amounts of money are not formulas', 'from $5 to $6', []],
  ['a space after the dollar', '$ x$', []],
  ['a space before the last one', '$x $', []],
  ['a digit after it', '$x$2', []],
  ['after a backslash', '\\$x$', []],
  ['a dollar in the formula', '$a\\$b$', ['inline: a\\$b']],
  ['in code', '`$x$`', []],
  ['in a fence', '```\n$x$\n```', []],
  ['never closed', '$x', []],
  ['empty', '$$ $$', []],
  ['on lines of its own', '$$\nx\n+ y\n$$', ['block: x\n+ y']],
  ['on one line', '$$x$$', ['block: x']],
  ['double dollars in a line', 'so $$x$$ it is', ['inline: x']],
  ['a block never closed', '$$\nx', []],
  ['in a quote', '> $$\n> x\n> $$', ['block: x']],
  ['in a list', '- $$\n  x\n  $$', ['block: x']],
  ['what looks like HTML stays text', '$a<b>$', ['inline: a&lt;b&gt;']],
];

describe('[WI-170] formulas in Markdown', () => {
  test.each(ROWS)('%s', (_what, text, expected) => expect(formulas(text)).toEqual(expected));

  test('many open dollars take linear time', () => {
    expect(formulas('$a '.repeat(5_000))).toEqual([]);
    expect(formulas('$$a\n'.repeat(2_001)).length).toBe(1_000);
  });
});
