import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnswerPart, answerParts, cellLanguageOf } from './answerParts.ts';
import { quoteText } from './quoteText.ts';

const text = (value: string): AnswerPart => ({ kind: 'text', text: value });
const code = (info: string, value: string, isOpen = false): AnswerPart => ({
  kind: 'code',
  info,
  text: value,
  isOpen,
});

const ROWS: Readonly<Record<string, readonly [answer: string, parts: readonly AnswerPart[]]>> = {
  empty: ['', []],
  'text alone': ['a\n\nb', [text('a\n\nb')]],
  'code between': ['a\n```python\nx = 1\n```\nb', [text('a'), code('python', 'x = 1'), text('b')]],
  'code that still arrives': ['```sql\nselect', [code('sql', 'select', true)]],
  'a fence in code': ['````\n```\nx\n```\n````', [code('', '```\nx\n```')]],
  tildes: ['~~~r\nx\n```\n~~~', [code('r', 'x\n```')]],
  'inline code is text': ['use ```x``` here', [text('use ```x``` here')]],
  'a fence in a list stays there': ['- a\n    ```\n    x\n    ```', [text('- a\n    ```\n    x\n    ```')]],
};
for (const [name, [answer, parts]] of Object.entries(ROWS)) {
  test(`[AG-64] parts of an answer: ${name}`, () => {
    expect(answerParts(answer)).toEqual(parts);
  });
}

test('[AG-75] of a long answer only the last part is drawn again as more arrives', () => {
  const paragraphs = Array.from({ length: 40 }, (_none, at) => `Paragraph ${at} ${'word '.repeat(60)}`);
  const parts = answerParts(paragraphs.join('\n\n'));
  expect(parts.length).toBeGreaterThan(4);
  expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThan(2_600);
  // A list is one part, however long.
  expect(answerParts(paragraphs.map((one) => `- ${one}`).join('\n\n'))).toHaveLength(1);
});

const line = fc.constantFrom(
  'a',
  'x'.repeat(900),
  '',
  '- item',
  '1. one',
  '```',
  '```python',
  '~~~',
  '    b',
);
test('[AG-75] what is before the last part never changes while text arrives', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 24 }), (lines) => {
      let before: readonly AnswerPart[] = [];
      for (let end = 1; end <= lines.length; end += 1) {
        const now = answerParts(`${lines.slice(0, end).join('\n')}\n`);
        expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
        before = now;
      }
    }),
  );
});

test.each([
  ['', 'python'],
  ['python', 'python'],
  ['Python {.cell}', 'python'],
  ['sql', 'sql'],
  ['bash', null],
  ['constructor', null],
])('[AG-65] code marked as %j belongs in a cell of %s', (info, language) => {
  expect(cellLanguageOf(info)).toBe(language);
});

test('[AG-66] a quoted text cannot end its quotation, and is short enough to be sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n', '😀'), maxLength: 60 }), (value) => {
      const [part, ...others] = answerParts(quoteText(value));
      expect(others).toEqual([]);
      expect(part).toEqual(code('text', value.trimEnd()));
    }),
  );
  const long = quoteText(`start ${'x'.repeat(30_000)} end`);
  expect(long.length).toBeLessThan(6_100);
  expect(long).toMatch(/start[\s\S]*\[…\][\s\S]* end\n```$/);
});
