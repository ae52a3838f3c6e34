import { expect, test } from 'vitest';
import { appendConsole, clearConsole, emptyConsole, replaceConsole } from '../../state/consoleText.ts';
import { ConsoleLog } from './consoleLog.ts';

test('a log reads what is new, and starts over when its text was cleared or replaced', () => {
  const log = new ConsoleLog();
  let text = appendConsole(emptyConsole, 'one\ntw');
  expect([log.take(text), log.text()]).toEqual([true, 'one\ntw']);
  text = appendConsole(text, 'o\n');
  expect([log.take(text), log.text(), log.count]).toEqual([true, 'one\ntwo', 2]);
  text = replaceConsole(text, 'whole\n');
  expect([log.take(text), log.text()]).toEqual([true, 'whole']);
  text = clearConsole(text);
  expect([log.take(text), log.text(), log.count]).toEqual([true, '', 0]);
});

test('[WI-9] a flood of output is read in several parts, with a note on what was omitted', () => {
  const log = new ConsoleLog();
  let text = emptyConsole;
  for (let at = 0; at < 300; at += 1) text = appendConsole(text, `${'x'.repeat(64 * 1024 - 1)}\n`);
  let takes = 1;
  while (!log.take(text)) takes += 1;
  expect(takes).toBe(32);
  expect(log.leftOut).toBe(text.dropped);
  expect(log.leftOut).toBeGreaterThan(0);
});

test('[WI-9] a long result replaces the streamed output once it has been read completely', () => {
  const log = new ConsoleLog();
  const streamed = appendConsole(emptyConsole, 'streamed\n');
  log.take(streamed);
  const result = `${'y'.repeat(1023)}\n`.repeat(600);
  const text = replaceConsole(streamed, result);
  const reads: string[] = [];
  for (let done = false; !done; ) {
    done = log.take(text);
    reads.push(`${log.isReplacing ? 'replacing' : 'whole'}: ${log.count} lines, ${log.leftOut} left out`);
  }
  expect(reads).toEqual([
    'replacing: 1 lines, 0 left out',
    'replacing: 1 lines, 0 left out',
    'whole: 600 lines, 0 left out',
  ]);
});

test('[WI-9] a flood of the next run replaces the output of the previous run while it still arrives', () => {
  const log = new ConsoleLog();
  const old = appendConsole(emptyConsole, 'old\n');
  log.take(old);
  const flood = `${'y'.repeat(1023)}\n`.repeat(600);
  let text = appendConsole(clearConsole(old), flood);
  log.take(text);
  text = appendConsole(text, flood);
  expect(log.take(text)).toBe(false);
  expect(log.isReplacing).toBe(false);
  expect(log.text()).not.toContain('old');
});

test('finds lines by text, ignoring case; they keep their numbers when earlier ones are trimmed', () => {
  const log = new ConsoleLog();
  for (let at = 0; at < 120_000; at += 1) log.feed(at % 50_000 === 0 ? `Here ${at}\n` : 'other\n');
  expect(log.trimmed).toBeGreaterThan(0);
  expect(log.find('here 1')).toEqual([100_000]);
  expect(log.find('')).toEqual([]);
});
