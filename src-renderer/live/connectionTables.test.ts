import { expect, it } from 'vitest';
import type { ConnectionTable } from './connectionTables.ts';
import { createConnectionTables } from './connectionTables.ts';
import { RestError } from './rest.ts';

const table = (name: string): ConnectionTable => ({ catalog: null, schema: null, name, columns: [] });
const DB = { name: 'db', mark: 'a' };

/** Tables read in turn, one answer per request; a text is a refusal. */
function tablesOf(answers: readonly (readonly ConnectionTable[] | string)[]) {
  const questions: string[] = [];
  const clock = { ms: 0 };
  const read = async (name: string): Promise<readonly ConnectionTable[]> => {
    const answer = answers[questions.push(name) - 1] ?? [];
    if (typeof answer === 'string') throw new RestError(answer, { status: 400, code: null });
    return answer;
  };
  return { known: createConnectionTables(read, () => clock.ms), asked: questions, clock };
}

it('[ED-64] requests tables once, without waiting for them', async () => {
  const { known, asked } = tablesOf([[table('trips')]]);
  const first = known.now(DB);
  expect([first.tables, known.now(DB).tables, asked]).toEqual([[], [], ['db']]);
  await first.coming;
  expect([known.now(DB), asked]).toEqual([{ tables: [table('trips')], coming: null }, ['db']]);
});

it('[ED-64] requests tables again after a minute and shows the old ones until then', async () => {
  const { known, asked, clock } = tablesOf([[table('old')], [table('new')]]);
  await known.now(DB).coming;
  clock.ms = 60_000;
  expect([known.now(DB).tables, asked.length]).toEqual([[table('old')], 2]);
  await expect.poll(() => known.now(DB).tables).toEqual([table('new')]);
});

it('[ED-64] requests the tables of a changed connection, and retries a failed one after a minute', async () => {
  const { known, asked, clock } = tablesOf(['no such file', [table('there')], [table('late')]]);
  await known.now(DB).coming;
  expect([known.now(DB), asked.length]).toEqual([{ tables: [], coming: null }, 1]);
  await known.now({ ...DB, mark: 'b' }).coming;
  expect(known.now({ ...DB, mark: 'b' }).tables).toEqual([table('there')]);
  clock.ms = 60_000;
  await known.now(DB).coming;
  expect(known.now(DB).tables).toEqual([table('late')]);
});
