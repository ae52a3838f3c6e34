import { expect, test } from 'vitest';
import { appendConsole, CONSOLE_LIMIT, clearConsole, emptyConsole, replaceConsole } from './consoleText.ts';

test('[WI-9] a console keeps the newest characters and says how many it left out', () => {
  const line = `${'x'.repeat(99)}\n`;
  let console = emptyConsole;
  for (let at = 0; at < 4_000; at += 1) console = appendConsole(console, line);
  expect(console.total).toBe(400_000);
  expect(console.text.length).toBeLessThanOrEqual(CONSOLE_LIMIT);
  expect(console.text.startsWith('x'.repeat(99))).toBe(true);
  expect(console.dropped + console.text.length).toBe(console.total);
});

test('the cut never halves a surrogate pair', () => {
  const console = appendConsole(emptyConsole, `a${'🚲'.repeat(CONSOLE_LIMIT)}`);
  expect(console.text.codePointAt(0)).toBe('🚲'.codePointAt(0));
});

test('clearing and replacing begin a new epoch; a replacement by the same text does not', () => {
  const shown = appendConsole(emptyConsole, 'one\n');
  expect(clearConsole(shown)).toEqual({ text: '', dropped: 0, total: 0, epoch: 1 });
  expect(replaceConsole(shown, 'two\n')).toEqual({ text: 'two\n', dropped: 0, total: 4, epoch: 1 });
  expect(replaceConsole(shown, 'one\n')).toBe(shown);
});
