import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivingSegments, codeIn, hunksOf, reviewOf, textOf } from './proposal.ts';

const fenced = (text: string, info = 'python'): string => `\`\`\`\`\`${info}\n${text}\n\`\`\`\`\`\n`;

/** [what, the answer, the code, whether it is cut off, the text beside it] */
const ANSWERS: readonly (readonly [string, string, string | null, boolean, string])[] = [
  ['one block', `${fenced('x = 1')}Sets x.`, 'x = 1', false, 'Sets x.'],
  [
    'a longer block is the cell',
    `${fenced('x')}${fenced('x = 1\ny = 2')}`,
    'x = 1\ny = 2',
    false,
    '```python\nx\n```',
  ],
  [
    'a block for a terminal is not the code',
    fenced('pip install x', 'bash'),
    null,
    false,
    '```bash\npip install x\n```',
  ],
  ['only text', 'It is right already.', null, false, 'It is right already.'],
  ['no end', '```python\nx = 1\ny', 'x = 1\ny', true, ''],
];

describe('[AG-80] the code of an answer', () => {
  it.each(ANSWERS)('%s', (_, answer, code, isOpen, prose) => {
    expect(codeIn(answer, 'python')).toEqual({ code, isOpen, prose });
  });

  it.each(['prompt', 'widget'] as const)('a %s cell takes a block of any language', (language) => {
    expect(codeIn(fenced('Hello', 'text'), language).code).toBe('Hello');
  });
});

/** [what, base, current, the code of the answer, the text once all is accepted, overlaps] */
const REVIEWS: readonly (readonly [string, string, string, string, string, boolean])[] = [
  ['nothing was typed since', 'a\nb', 'a\nb', 'a\nc', 'a\nc', false],
  ['an empty cell', '', '', 'a\nb', 'a\nb', false],
  ['the line break at the end stays', 'a\n', 'a\n', 'b', 'b\n', false],
  [
    'other lines were typed since: both stay',
    'a\nb\nc\nd',
    'a!\nb\nc\nd',
    'a\nb\nc\nD',
    'a!\nb\nc\nD',
    false,
  ],
  ['the same line was typed since', 'a\nb', 'a\nmine', 'a\ntheirs', 'a\ntheirs', true],
  [
    'the same line and another: the other stays',
    'a\nb\nc\nd\ne',
    'A\nb\nc\nd\nE',
    'x\nb\nc\nd\ne',
    'x\nb\nc\nd\nE',
    true,
  ],
  ['the person emptied the cell', 'a', '', 'b', 'b', true],
];

describe('[AG-81] what an answer would change', () => {
  it.each(REVIEWS)('%s', (_, base, current, code, all, overlaps) => {
    const review = reviewOf({ base, current, answer: fenced(code), language: 'python' });
    expect(review).toMatchObject({ kind: 'changes', overlaps });
    expect(textOf(review.segments, () => true)).toBe(all);
    expect(textOf(review.segments, () => false)).toBe(current);
  });

  it('code that was cut off, unchanged code and no code offer no change', () => {
    const of = (answer: string) => reviewOf({ base: 'x', current: 'x', answer, language: 'python' });
    expect(of('```python\ny')).toMatchObject({ kind: 'cut', segments: [] });
    expect(of(fenced('x')).kind).toBe('same');
    expect(of('Fine.')).toMatchObject({ kind: 'none', segments: [] });
  });

  it('a change with the mark of a secret is marked', () => {
    const current = 'key = "s3cret"\nx = 1';
    const review = reviewOf({
      base: current,
      current,
      language: 'python',
      answer: fenced('key = "[hidden]"\nx = 2'),
    });
    expect(hunksOf(review.segments).map(({ isHidden }) => isHidden)).toEqual([true]);
  });

  it('any choice of changes produces their lines, and rejecting all leaves the text unchanged', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'd = 1');
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, text, fc.array(fc.boolean()), (base, current, code, choices) => {
        const { segments } = reviewOf({ base, current, answer: fenced(code), language: 'python' });
        expect(textOf(segments, () => false)).toBe(segments.length === 0 ? '' : current);
        const keys = hunksOf(segments).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        const isChosen = (key: string): boolean => choices[keys.indexOf(key)] ?? true;
        const joined = textOf(segments, ({ key }) => isChosen(key));
        for (const hunk of hunksOf(segments)) {
          const lines = isChosen(hunk.key) ? hunk.after : hunk.before;
          expect(joined).toContain(lines.join('\n'));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('what has not arrived yet is not shown as removed', () => {
    const segments = arrivingSegments('a\nb\nc', '```python\nA\n', 'python');
    expect(segments.flatMap((segment) => (segment.kind === 'hunk' ? segment.before : []))).toEqual([]);
  });
});
