import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentWorld, callOf } from './testing/agentWorld.ts';

/** Events that may happen at any time during a job. */
const EVENTS = [
  'approve',
  'decline',
  'stale answer',
  'cancel',
  'other edit',
  'session ends',
  'wait',
] as const;
type Event = (typeof EVENTS)[number];

const CELLS = { a: 'x = 1', b: 'y = x', c: 'z = y' };
/** Each of these changes is made completely or not at all. */
const CHANGES = [
  callOf('edit_cell', { variable_name: 'x', new_source: 'x = 2\nw = 3' }),
  callOf('create_cell', { source: 'made = 1\nother = 2' }),
  callOf('delete_cell', { variable_name: 'z' }),
  callOf('run_cell', { variable_name: 'y' }),
];

describe('a job during which any event may happen', () => {
  it('[AG-21] leaves no half-made change, one matching undo step, and exactly one end', async () => {
    const events = fc.array(fc.constantFrom<Event>(...EVENTS), { maxLength: 14 });
    const order = fc.shuffledSubarray(CHANGES, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(events, order, fc.boolean(), async (happens, calls, together) => {
        const turns = together ? [{ calls }] : calls.map((call) => ({ calls: [call] }));
        const world = await agentWorld([...turns, { text: 'ok' }], { cells: CELLS });
        try {
          const job = world.start({ confirm_all: true });
          let edits = 0;
          for (const event of happens) {
            await step();
            const [request] = world.of('agent_confirm_request').slice(-1);
            const answer = (approved: boolean, requestId: string | null): void =>
              world.assistant.answer({ jobId: null, requestId, approved });
            if (event === 'approve') answer(true, request?.request_id ?? null);
            if (event === 'decline') answer(false, request?.request_id ?? null);
            if (event === 'stale answer') answer(true, '000000000000');
            if (event === 'cancel') world.assistant.cancel(job.id);
            if (event === 'session ends') world.notebook.end();
            if (event === 'other edit') {
              edits += 1;
              world.notebook.edit('b', `y = x + ${edits}`);
            }
          }
          world.assistant.cancel(null);
          await job.ended;
          const sources = world.notebook.sources();
          expect(['x = 1', 'x = 2\nw = 3']).toContain(sources['a']);
          expect(sources['b']).toBe(edits === 0 ? 'y = x' : `y = x + ${edits}`);
          expect([undefined, 'z = y']).toContain(sources['c']);
          const added = Object.entries(sources).filter(([id]) => !Object.hasOwn(CELLS, id));
          expect(added.map(([, source]) => source)).toEqual(added.map(() => 'made = 1\nother = 2'));
          expect(world.of('agent_done')).toHaveLength(1);
          expect((await world.assistant.status()).job).toBeNull();
          const changes = [...world.notebook.undo.values()].flatMap((entry) => entry.changes);
          const expected = [
            ...(sources['a'] === 'x = 1' ? [] : ['source a']),
            ...added.map(([id]) => `added ${id}`),
            ...(sources['c'] === undefined ? ['deleted c'] : []),
          ];
          const changeTexts = changes.map((change) =>
            'cellId' in change ? `${change.kind} ${change.cellId}` : '',
          );
          expect(changeTexts.toSorted()).toEqual(expected.toSorted());
          // No change was requested without approval.
          const approvals = world
            .of('agent_progress')
            .filter(({ event, data }) => event === 'confirmed' && data['answer'] === 'approved');
          const asked = world.notebook.requests.filter(({ type }) => type !== 'cancel_cell');
          expect(asked.length).toBeLessThanOrEqual(approvals.length);
        } finally {
          await world.dispose();
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Lets all pending tasks run. */
function step(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
