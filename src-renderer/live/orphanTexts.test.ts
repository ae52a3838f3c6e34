import { expect, test } from 'vitest';
import type { Orphan, OrphanText } from '../state/orphans.ts';
import { OrphanTexts } from './orphanTexts.ts';

const text = (cellId: string): Orphan => ({
  cellId,
  name: cellId,
  language: 'python',
  source: `${cellId} = 1`,
  afterId: null,
});

function window(answers: readonly (boolean | Error)[]) {
  let orphanTexts: readonly OrphanText[] = [];
  const messages: string[] = [];
  const left = [...answers];
  const texts = new OrphanTexts({
    view: () => ({ orphanTexts }),
    set: (change) => {
      orphanTexts = change.orphanTexts;
    },
    recreate: async () => {
      const answer = left.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    say: (name) => messages.push(name),
  });
  const shown = (): readonly string[] => orphanTexts.map(({ cellId, state }) => `${cellId} ${state}`);
  return { texts, said: messages, shown };
}

test('[ED-65] a text whose cell was deleted is kept until a new cell has it', async () => {
  const { texts, said, shown } = window([false, true, false, true]);
  texts.take([text('a'), text('b')]);
  expect(shown()).toEqual(['a placing', 'b placing']);
  await expect.poll(shown).toEqual(['a refused']);
  expect(said).toEqual(['b']);
  texts.tryAgain();
  expect(shown()).toEqual(['a placing']);
  texts.tryAgain();
  await expect.poll(shown).toEqual(['a refused']);
  texts.tryAgain();
  await expect.poll(shown).toEqual([]);
  expect(said).toEqual(['b', 'a']);
});

test('[ED-65] a text whose cell was deleted is removed only when the person discards it', async () => {
  const { texts, said, shown } = window([false]);
  texts.take([text('a')]);
  await expect.poll(shown).toEqual(['a refused']);
  texts.discard('a');
  expect(shown()).toEqual([]);
  expect(said).toEqual([]);
});
