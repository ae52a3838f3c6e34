import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConsoleText } from './consoleText.ts';
import {
  appendConsole,
  CONSOLE_LIMIT,
  clearConsole,
  consoleSlice,
  consoleString,
  emptyConsole,
  replaceConsole,
} from './consoleText.ts';

function kept(console: ConsoleText) {
  const { dropped, total, epoch } = console;
  return { text: consoleString(console), dropped, total, epoch };
}

test('[WI-9] a console keeps the newest characters and counts the omitted ones', () => {
  const line = `${'x'.repeat(99)}\n`;
  let console = emptyConsole;
  const lines = Math.ceil(CONSOLE_LIMIT / 100) + 5_000;
  for (let at = 0; at < lines; at += 50) console = appendConsole(console, line.repeat(50));
  const text = consoleString(console);
  expect(console.total).toBe(Math.ceil(lines / 50) * 5_000);
  expect(text.length).toBeLessThanOrEqual(CONSOLE_LIMIT);
  expect(text.length).toBeGreaterThan(CONSOLE_LIMIT - 70_000);
  expect(text.startsWith('x'.repeat(99))).toBe(true);
  expect(console.dropped + text.length).toBe(console.total);
  expect(console.pieces.length).toBeLessThan(200);
});

test('the cut never halves a surrogate pair', () => {
  const console = appendConsole(emptyConsole, `a${'🚲'.repeat(CONSOLE_LIMIT / 2)}`);
  expect(consoleString(console).codePointAt(0)).toBe('🚲'.codePointAt(0));
});

test('clearing and replacing start a new epoch; a replacement by the same text does not', () => {
  const shown = appendConsole(emptyConsole, 'one\n');
  expect(kept(clearConsole(shown))).toEqual({ text: '', dropped: 0, total: 0, epoch: 1 });
  expect(kept(replaceConsole(shown, 'two\n'))).toEqual({ text: 'two\n', dropped: 0, total: 4, epoch: 1 });
  expect(replaceConsole(shown, 'one\n')).toBe(shown);
});

test('any part of the stored text can be read, regardless of the pieces in which it arrived', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(200), fc.nat(200), (texts, from, most) => {
      const console = texts.reduce(appendConsole, emptyConsole);
      expect(consoleSlice(console, from, most)).toBe(texts.join('').slice(from, from + most));
    }),
  );
});
