import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../e2e/support/cpuTime.ts';
import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { parseTemplate, promptBody, promptNames } from './template.ts';

interface Row {
  readonly name: string;
  readonly source: string;
  readonly defines?: readonly string[];
  readonly references: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: 'a plain name', source: 'Count {{ rows }}', references: ['rows'] },
  { name: 'no white space, and a lot', source: '{{rows}} {{\n  cols\n}}', references: ['cols', 'rows'] },
  { name: 'the root of a chain', source: '{{ df.price.head() }} {{ df.shape }}', references: ['df'] },
  { name: 'the root of a call with arguments', source: '{{ rows.append(4) }}', references: ['rows'] },
  { name: 'each name once, sorted', source: '{{ b }}{{ a }}{{ b }}', references: ['a', 'b'] },
  { name: 'common builtins are not references', source: '{{ len }} {{ print }} {{ None }}', references: [] },
  {
    name: 'expressions are text',
    source: '{{ a + b }} {{ a[0] }} {{ f(x) }} {{ "x" }} {{ 1 }}',
    references: [],
  },
  { name: 'single braces are text', source: '{ a } {{ a }', references: [] },
  { name: 'private names are not references', source: '{{ _a }} {{ __b.c }}', references: [] },
  { name: 'names in any script', source: '{{ größe }}', references: ['größe'] },
  {
    name: 'leading comments are not part of the prompt',
    source: '# {{ a }}\n\n# @system {{ b }}\n{{ c }}',
    references: ['c'],
  },
  { name: 'a # line within the prompt is part of it', source: 'Hi\n# {{ a }}', references: ['a'] },
  { name: 'an output named by @name', source: '# @name ans\nHi', defines: ['ans'], references: [] },
  {
    name: 'a @name that is not an identifier',
    source: '# @name my answer\nHi',
    defines: ['result'],
    references: [],
  },
  { name: 'an empty source', source: '', references: [] },
];

function check({ source, defines = ['result'], references }: Row): void {
  expect(promptNames(source, parseAnnotations(source, 'prompt'))).toEqual({ defines, references });
}

describe('[PR-1] names of a prompt', () => {
  for (const row of ROWS) it(row.name, () => check(row));

  it('[PR-2] the parts of any text, joined, are the text', () => {
    const pieces = fc.constantFrom('{{', '}}', ' ', 'a', '.b', '()', '\n', 'x', '{', '}', '(', '.');
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 }), (words) => {
        const text = words.join('');
        const parts = parseTemplate(text).map((part) => (typeof part === 'string' ? part : part.text));
        expect(parts.join('')).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[PR-1] the body begins at the first line that is neither blank nor a comment', () => {
    expect(promptBody('\n# @model m\n\nHi {{ a }}\n# there\n\n')).toBe('Hi {{ a }}\n# there');
  });

  it('the work for a hostile text grows with its length, not with the square of the length', () => {
    const hostile = (size: number) =>
      `${'{{ a'.repeat(2 * size)}${'.b'.repeat(5 * size)}${'{{ '.repeat(2 * size)}`;
    const [short, long] = [hostile(600), hostile(9_600)];
    const shortMs = leastCpuMs(() => parseTemplate(short));
    // Sixteen times the length: about 16 times the work, or 256 times.
    expect(leastCpuMs(() => parseTemplate(long))).toBeLessThan(80 * shortMs);
  });
});
