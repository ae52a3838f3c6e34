/**
 * Agent jobs in the assistant panel, in the whole window against a fake server: progress, approval of each
 * action, undo, stop and reconnect.
 */

import type { FakeAssistant } from '../../../e2e/support/fakeAssistant.ts';
import { open, send } from '../../testing/assistantWorld.ts';
import { expect, test } from '../../testing/fixture.ts';

test('[AG-69] a job reports in plain language, and its changes are undone as one', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'load the column', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  expect(ai.jobs[0]).toEqual({
    message: 'load the column',
    auto_approve: false,
    confirm_all: true,
    extra_tools: true,
    leave_out: [],
    mark: { done: [], forgotten: 0 },
  });
  ai.progress('started', 'load the column');
  ai.text('I look first.');
  const read = ai.call('get_notebook_state', {});
  await expect(panel).toContainText('Reading the notebook…');
  read('2 cells');
  ai.call('run_cell', { variable_name: 'trips' })('KeyError', true);
  const edit = ai.call('edit_cell', { variable_name: 'trips', new_source: 'trips = 1' });
  ai.progress('notice', 'The provider is busy. Retrying.');
  fake.setCell('a', { source: 'trips = 1' });
  fake.send('undo_recorded', {
    id: 'assistant-job00001',
    deed: 'assistant',
    changes: [{ kind: 'source', cellId: 'a', before: 'trips = load()', after: 'trips = 1' }],
  });
  edit('ok');
  ai.done({ content: 'It reads the column now.', undo_id: 'assistant-job00001' });
  for (const words of [
    ...['I look first.', 'Read the notebook', 'Couldn’t run trips: KeyError', 'Changed trips'],
    ...['The provider is busy.', 'It reads the column now.', '1,200 tokens in · 340 out'],
  ]) {
    await expect(panel).toContainText(words);
  }
  await expect(page.locator('[data-cell-id=a]')).toContainText('trips = 1');
  await panel.getByRole('button', { name: 'Undo all changes' }).click();
  await expect.poll(() => fake.cell('a').source).toBe('trips = load()');
  await panel.getByRole('button', { name: 'Undo all changes' }).click();
  await expect(page.locator('.toast-words').last()).toHaveText('These changes have already been undone.');
});

const QUESTIONS: readonly (readonly [
  question: Parameters<FakeAssistant['ask']>[0],
  shown: readonly (string | RegExp)[],
])[] = [
  [
    {
      tool: 'edit_cell',
      summary: 'Change cell trips',
      preview: {
        kind: 'edit',
        cell_id: 'a',
        before: 'trips = load()',
        after: 'trips = load(1)',
        diff: '',
        stale: ['b'],
      },
    },
    ['Changes to trips', '+trips = load(1)', 'Becomes stale: fit'],
  ],
  [
    {
      tool: 'delete_cell',
      summary: 'Delete cell trips',
      preview: { kind: 'delete', cell_id: 'a', source: 'trips = load()', stale: ['b'], lost: ['trips'] },
    },
    ['−trips = load()', 'No longer defined by any cell: trips'],
  ],
  [
    {
      tool: 'run_cell',
      summary: 'Run cell fit',
      preview: { kind: 'run', cell_id: 'b', source: 'fit = x', upstream: ['a'] },
    },
    ['Code of fit', 'fit = x', 'Runs first: trips'],
  ],
  [
    {
      tool: 'create_cell',
      summary: 'Add a python cell',
      preview: { kind: 'create', language: 'python', source: 'new = 1', after_cell_id: 'b' },
    },
    ['New python cell after fit', 'new = 1'],
  ],
  [
    {
      tool: 'add_package',
      summary: 'Add the package pandas',
      preview: {
        kind: 'packages',
        requirement: 'pandas',
        problem: null,
        changes: [
          { name: 'pandas', before: null, after: '3.0' },
          { name: 'numpy', before: '1.26', after: '2.2' },
        ],
      },
    },
    [/pandas\s*add 3\.0/, /numpy\s*1\.26 → 2\.2/],
  ],
];
for (const [question, shown] of QUESTIONS) {
  test(`[AG-70] a question shows what it would do: ${question.tool}`, async ({ page, serve }) => {
    const world = await open(page, serve);
    const { panel, ai, fake } = world;
    await send(world, 'go', 'Agent');
    await expect.poll(() => ai.jobs.length).toBe(1);
    ai.ask(question);
    const card = panel.getByRole('group', { name: `${question.summary}?` });
    for (const words of shown) await expect(card).toContainText(words);
    await expect(card).toContainText(/1\d\d s left|2 min left/);
    // The card has the focus and not one of its buttons, so a key that was just typed approves nothing.
    await expect(card).toBeFocused();
    await expect(panel.getByRole('alert')).toContainText(`The assistant asks: ${question.summary}`);
    await card.getByRole('button', { name: 'Decline' }).click();
    await expect(card).toHaveCount(0);
    await expect(world.field).toBeFocused();
    const answer = { job_id: 'job00001', request_id: '0123456789ab', approved: false };
    await expect
      .poll(() => fake.received.findLast(({ type }) => type !== 'cell_focus'))
      .toEqual({ type: 'agent_confirm_response', payload: answer });
  });
}

test('[AG-71] a question does not take the focus from a text field', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { panel, ai, fake, field } = world;
  await send(world, 'go', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  await page.keyboard.type('and then');
  const [question] = QUESTIONS[0] ?? [];
  if (question === undefined) throw new Error('no question');
  ai.ask(question);
  await expect(panel.getByRole('button', { name: 'Allow' })).toBeVisible();
  await expect(field).toBeFocused();
  await panel.getByRole('button', { name: 'Allow' }).click();
  await expect
    .poll(() => fake.received.findLast(({ type }) => type !== 'cell_focus')?.payload)
    .toMatchObject({ approved: true });
});

test('[AG-71] a question in a closed panel is announced with a button to open it', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai } = world;
  await send(world, 'go', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  await page.keyboard.press('Control+Shift+A');
  await expect(panel).toHaveCount(0);
  const [question] = QUESTIONS[0] ?? [];
  if (question === undefined) throw new Error('no question');
  ai.ask(question);
  await expect(page.locator('.toast-words')).toContainText('The assistant asks: Change cell trips');
  await page.locator('.toast').getByRole('button', { name: 'Show' }).click();
  await expect(panel.getByRole('group', { name: 'Change cell trips?' })).toBeVisible();
});

test('[AG-72] a job can be stopped, and the end of a job during a lost connection is shown', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'first', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => fake.received.map(({ type }) => type)).toContain('agent_cancel');
  await expect(panel.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
  ai.done({ cancelled: true });
  await expect(panel).toContainText('Stopped. Changes already made are kept until you undo them.');

  ai.jobId = 'job00002';
  await send(world, 'second', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(2);
  ai.text('Half of');
  await expect(panel).toContainText('Half of');
  fake.dropSockets();
  await expect(panel.locator('[data-failure=lost]')).toContainText('the job has ended');
  await expect(panel).toContainText('Half of');
});

test('[AG-72] a job that is stopped before the server has named it stays stopped', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  const answer = Promise.withResolvers<void>();
  fake.gates.aiAgent = answer.promise;
  await send(world, 'first', 'Agent');
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect(panel.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
  answer.resolve();
  await expect.poll(() => ai.jobs.length).toBe(1);
  ai.text('Half of');
  await expect(panel).toContainText('Half of');
  await expect(panel.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
});

test('[AG-73] a window that opens later shows the conversation and the job that runs', async ({
  page,
  serve,
}) => {
  const { panel, ai } = await open(page, serve, {
    before: ({ ai: assistant }) => {
      assistant.status = {
        ...assistant.status,
        history: [
          { role: 'user', content: 'an earlier request' },
          { role: 'assistant', content: 'an earlier answer' },
        ],
        job: {
          job_id: 'job00001',
          message: 'the request of now',
          iteration: 2,
          text: 'so far',
          tokens: { input: 1, output: 1 },
          confirmation: null,
        },
      };
    },
  });
  for (const words of ['an earlier request', 'an earlier answer', 'the request of now', 'so far']) {
    await expect(panel).toContainText(words);
  }
  ai.text(' and more');
  ai.done({ content: 'so far and more' });
  await expect(panel).toContainText('so far and more');
  ai.status = { ...ai.status, job: null, history: [] };
  await panel.getByRole('button', { name: 'New conversation' }).click();
  await expect(panel.locator('article')).toHaveCount(0);
  await expect(panel).toContainText('Ask about this notebook');
});
