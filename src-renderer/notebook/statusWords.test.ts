import { expect, test } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { statusWords } from './statusWords.ts';

test.each<[Partial<Cell>, string]>([
  [{ status: 'idle' }, 'not run'],
  [{ status: 'idle', stopped_ms: 6_000 }, 'stopped'],
  [{ status: 'idle', unkept: ['x'] }, 'not stored'],
  [{ status: 'stale', stopped_ms: 6_000 }, 'stale'],
  [{ status: 'ready', stopped_ms: 6_000 }, 'up to date'],
])('[WI-240] %o is labelled %s', (cell, words) => {
  expect(statusWords(fakeCell({ id: 'a', ...cell }))).toBe(words);
});
