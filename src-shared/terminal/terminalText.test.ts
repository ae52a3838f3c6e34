import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, widthOf } from './line.ts';
import { TerminalText } from './terminalText.ts';

const linesOf = (terminal: TerminalText): Line[] =>
  Array.from({ length: terminal.count }, (_none, at) => terminal.line(at));

function shown(...chunks: string[]): string[] {
  const terminal = new TerminalText();
  for (const chunk of chunks) terminal.feed(chunk);
  return linesOf(terminal).map((_line, at) => terminal.text(at));
}

test.each<[string, string[], string[]]>([
  ['plain lines', ['a\nb\n'], ['a', 'b', '']],
  ['a carriage return restarts the line', ['10%\r42%'], ['42%']],
  ['shorter text over longer keeps the rest', ['abcdef\rxy'], ['xycdef']],
  ['windows line ends', ['a\r\nb'], ['a', 'b']],
  ['a line end cut between chunks', ['a\r', '\nb'], ['a', 'b']],
  ['backspace', ['ab\b\bxy'], ['xy']],
  ['erase to the end of the line', ['abcdef\rab\x1b[K'], ['ab']],
  ['erase the whole line', ['abc\x1b[2K\rx'], ['x']],
  ['cursor up redraws a bar', ['one\ntwo\n\x1b[2A\rONE'], ['ONE', 'two', '']],
  ['an escape cut between chunks', ['a\x1b[3', '1mb'], ['ab']],
  ['titles and charsets are removed', ['\x1b]0;title\x07a\x1b(Bb'], ['ab']],
  ['nul and bell are removed', ['a\x00\x07b'], ['ab']],
  ['tabs stay', ['a\tb'], ['a\tb']],
])('%s', (_name, chunks, expected) => {
  expect(shown(...chunks)).toEqual(expected);
});

test.each<[string, { classes: string; color: string | null }]>([
  ['\x1b[35mx', { classes: 'ansi-magenta-fg', color: null }],
  ['\x1b[1;31mx', { classes: 'ansi-bold ansi-red-fg', color: null }],
  ['\x1b[38;2;1;2;3mx', { classes: '', color: '1, 2, 3' }],
  ['\x1b[38;5;196mx', { classes: '', color: '255, 0, 0' }],
  ['\x1b[31m\x1b[0mx', { classes: '', color: null }],
  ['\x1b[31m\n\rx', { classes: 'ansi-red-fg', color: null }],
])('colour of %j', (text, { classes, color }) => {
  const terminal = new TerminalText();
  terminal.feed(text);
  expect(linesOf(terminal).at(-1)?.[0]).toMatchObject({ text: 'x', classes, color });
});

test('[WI-9] however the text is cut, the same is shown', () => {
  const piece = fc.constantFrom(
    'a',
    'bc',
    '\n',
    '\r',
    '\r\n',
    '\b',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b[1A',
    '\t',
    '\x1b]8;;http://x\x1b\\',
    '\x1b[38;5;9m',
    '\u202e',
    '🚲',
    'a plain line of a flood\n'.repeat(400),
    `${'no end '.repeat(4_000)}\n${'short\n'.repeat(1_000)}`,
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.oneof(fc.nat(60), fc.nat(60_000)), { maxLength: 5 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b),
          text.length,
        ];
        const chunks = places.slice(1).map((end, at) => text.slice(places[at], end));
        const whole = new TerminalText();
        whole.feed(text);
        const parts = new TerminalText();
        for (const chunk of chunks) parts.feed(chunk);
        expect(linesOf(parts)).toEqual(linesOf(whole));
        expect(linesOf(parts).map(widthOf)).toEqual(linesOf(parts).map((_line, at) => parts.width(at)));
      },
    ),
    { numRuns: 300 },
  );
});

test('a line in colours is the same text', () => {
  const terminal = new TerminalText();
  terminal.feed('a\x1b[31mb\x1b[0mc\rX');
  expect(terminal.text(0)).toBe('Xbc');
  expect(terminal.line(0).map((run) => [run.text, run.classes])).toEqual([
    ['X', ''],
    ['b', 'ansi-red-fg'],
    ['c', ''],
  ]);
});

test('only the newest lines remain, the same ones however the text is split', () => {
  const text = Array.from({ length: 25_000 }, (_none, at) => `line ${at}\n`).join('');
  const whole = new TerminalText({ maxLines: 1_000 });
  whole.feed(text);
  const parts = new TerminalText({ maxLines: 1_000 });
  for (let at = 0; at < text.length; at += 777) parts.feed(text.slice(at, at + 777));
  expect(linesOf(parts)).toEqual(linesOf(whole));
  expect(whole.count).toBeLessThanOrEqual(11_000);
  expect(whole.trimmedLines + whole.count).toBe(25_001);
  expect(whole.text(whole.count - 2)).toBe('line 24999');
});

test('a line of a large block is overwritten when the cursor returns to it', () => {
  const terminal = new TerminalText();
  terminal.feed('a plain line\n'.repeat(1_000));
  terminal.feed('\x1b[500AA PLAIN\x1b[500B');
  terminal.feed('next\n');
  expect([499, 500, 501, 999, 1_000].map((at) => terminal.text(at))).toEqual([
    'a plain line',
    'A PLAIN line',
    'a plain line',
    'a plain line',
    '       next',
  ]);
});

test('a link in the text is its label, never an address to follow', () => {
  expect(shown('\x1b]8;;javascript:alert(1)\x1b\\here\x1b]8;;\x1b\\ done')).toEqual(['here done']);
});
