import { afterEach, expect, test, vi } from 'vitest';
import type { LanguageAnswer } from '../../src-shared/wire/routes/language.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { createLanguage } from './language.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ROWS: readonly (readonly [what: string, answer: LanguageAnswer, afterwards: string | undefined])[] = [
  ['a server that was starting, while no editor is open', { state: 'starting', words: null }, undefined],
  ['a server that is off', { state: 'off', words: 'no uv' }, 'off'],
  ['a server that is ready', { state: 'ready', words: null }, 'ready'],
];

test.each(ROWS)('[ED-97] reported a minute after the last answer: %s', async (_what, answer, afterwards) => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:1/' });
  vi.stubGlobal('fetch', async () => Response.json(answer));
  const language = createLanguage(createNotebookStore({ sessionId: 's', path: null }));
  let reports = 0;
  language.watch(() => {
    reports += 1;
  });
  await language.ask('a', { ask: 'diagnostics', source: 'x' });
  expect([language.now()?.state, reports]).toEqual([answer.state, 1]);
  vi.advanceTimersByTime(60_000);
  expect([language.now()?.state, reports]).toEqual([afterwards, afterwards === undefined ? 2 : 1]);
});
