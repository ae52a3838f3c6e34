import { AI_READY, AI_UNSET, FakeAssistant } from '../../../e2e/support/fakeAssistant.ts';
import { type FakeServer, refusal } from '../../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../../e2e/support/fakeServerNotebook.ts';
import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';

const TRACE = 'Traceback (most recent call last):\n  File "<cell a>", line 1, in <module>\nKeyError: "km"';

function notebook(more: Partial<NotebookBody> = {}): NotebookBody {
  const cells = [
    fakeCell({ id: 'a', defines: ['trips'], source: 'trips = load()', status: 'error', error: TRACE }),
    fakeCell({
      id: 'b',
      defines: ['fit'],
      source: 'fit = x +',
      annotation_diagnostics: [
        { severity: 'error', code: 'syntax_error', message: 'invalid syntax', line: 1 },
      ],
    }),
  ];
  return { ...fakeBody({ name: 'Trips', cells }), ...more };
}

interface World {
  readonly page: Page;
  readonly fake: FakeServer;
  readonly ai: FakeAssistant;
  readonly panel: ReturnType<Page['locator']>;
  readonly field: ReturnType<Page['locator']>;
}

async function open(
  page: Page,
  serve: Serve,
  options: { readonly body?: NotebookBody; readonly before?: (world: World) => void } = {},
): Promise<World> {
  const { fake, url } = await serve(options.body ?? notebook());
  const ai = new FakeAssistant(fake);
  const panel = page.locator('[data-panel=assistant]');
  const world = { page, fake, ai, panel, field: panel.getByRole('textbox', { name: 'Message' }) };
  options.before?.(world);
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+A');
  await expect(panel).toBeVisible();
  return world;
}

async function send({ page, field }: World, message: string, mode: 'Ask' | 'Agent' = 'Ask'): Promise<void> {
  if (mode === 'Agent') await page.getByRole('radio', { name: 'Agent' }).click();
  await field.focus();
  await page.keyboard.type(message);
  await page.keyboard.press('Enter');
}

const EMPTY: readonly (readonly [
  state: string,
  options: Parameters<typeof open>[2],
  shown: readonly (string | RegExp)[],
])[] = [
  [
    'no provider: a local model first, then keys',
    {
      before: ({ fake }) => {
        fake.answers.aiStatus = AI_UNSET;
      },
    },
    [
      'No AI model is set',
      'Nothing is sent',
      /On this computer.*11434\/v1.*With a provider/s,
      'No API key is set.',
    ],
  ],
  [
    'an untrusted folder',
    { body: notebook({ untrusted: 'Nothing runs in this folder until you trust it.' }) },
    ['The assistant is off', 'Trust it in the banner'],
  ],
  [
    'a notebook without cells',
    { body: fakeBody({ name: 'New', cells: [] }) },
    ['Start a notebook with the assistant', 'reads data.csv'],
  ],
  [
    'a notebook with cells: what would be sent',
    {},
    ['Ask about this notebook', 'What is sent', /trips.*4 tokens/, /Sent to qwen3:8b at http:\/\/localhost/],
  ],
];
for (const [state, options, shown] of EMPTY) {
  test(`[AG-63] ${state}`, async ({ page, serve }) => {
    const { panel, ai } = await open(page, serve, options);
    for (const words of shown) await expect(panel).toContainText(words);
    expect([ai.chats, ai.jobs]).toEqual([[], []]);
  });
}

test('[AG-61] the settings of the model open over the page, with the limits of the assistant', async ({
  page,
  serve,
}) => {
  const { panel, fake } = await open(page, serve, {
    before: (world) => {
      world.fake.answers.aiStatus = AI_UNSET;
      world.fake.answers.setAi = AI_UNSET;
    },
  });
  await panel.getByRole('button', { name: 'Set AI model…' }).click();
  const dialog = page.getByRole('dialog', { name: 'AI model' });
  await dialog.getByLabel('Address').fill('http://localhost:11434/v1');
  await dialog.getByLabel('Context limit (tokens)').fill('-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter a number greater than 0.');
  await dialog.getByLabel('Context limit (tokens)').fill('8000');
  await dialog.getByLabel('Approval timeout (s)').fill('30');
  fake.answers.aiStatus = AI_READY;
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  const saved = fake.requests.find(({ name }) => name === 'setAi')?.body;
  expect(saved).toMatchObject({
    ...{ base_url: 'http://localhost:11434/v1', max_context_tokens: 8_000, approval_timeout_seconds: 30 },
  });
  await expect(panel).toContainText('Ask about this notebook');
});

test('[AG-62] a cell that is left out is sent with no message', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { panel, ai } = world;
  const row = panel.locator('.assistant-cells li').first();
  await row.getByRole('checkbox').click();
  await expect(row).toContainText('not sent');
  await send(world, 'hello');
  await expect.poll(() => ai.chats.length).toBe(1);
  expect(ai.last.body).toEqual({ message: 'hello', history: [], leave_out: ['a'] });
});

test('[AG-64] an answer is shown as it arrives, as Markdown without HTML and remote pictures', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'What is wrong?');
  await expect(panel).toContainText('Waiting for the model…');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('The **column** is missing.');
  await expect(panel.locator('.markdown strong')).toHaveText('column');
  await expect(panel.getByRole('button', { name: 'Stop' })).toBeVisible();
  ai.last.delta(
    '\n\n<img src=x onerror=alert(1)> ![p](https://evil.example/p.png)\n\n```python\ntrips = load("k',
  );
  await expect(panel.locator('.assistant-pre')).toHaveText('trips = load("k');
  await expect(panel.getByRole('button', { name: 'Insert below' })).toHaveCount(0);
  ai.last.delta('m")\n```\n\n```bash\nls\n```\n');
  ai.last.done();
  await expect(panel).toContainText('qwen3:8b · 900 tokens in · 120 out');
  await expect(panel.locator('img')).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(2);
  // A command for a terminal belongs in no cell.
  await panel.getByRole('button', { name: 'Insert below' }).click();
  await expect.poll(() => fake.body.cells.at(-1)?.source).toBe('trips = load("km")');
});

test('[AG-65] code replaces a cell once its differences were accepted', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await page.locator('[data-cell-id=a]').getByRole('button', { name: 'Fix with assistant' }).click();
  await expect(world.field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('Read the column.\n\n```python\ntrips = load("km")\n```\n');
  ai.last.done();
  const dialog = page.getByRole('dialog', { name: 'Replace the code of trips?' });
  for (const [button, source] of [
    ['Reject', 'trips = load()'],
    ['Accept', 'trips = load("km")'],
  ] as const) {
    await panel.getByRole('button', { name: 'Replace cell' }).click();
    await expect(dialog.locator('.diff')).toHaveText('−trips = load() +trips = load("km")');
    await dialog.getByRole('button', { name: button }).click();
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => fake.cell('a').source).toBe(source);
  }
  await page.locator('[data-cell-id=a]').focus();
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('a').source).toBe('trips = load()');
});

const PREPARED: readonly (readonly [
  string,
  (page: Page) => Promise<void>,
  cellId: string,
  quoted: string,
])[] = [
  [
    'a failed cell',
    (page) => page.locator('[data-cell-id=a]').getByRole('button', { name: 'Fix with assistant' }).click(),
    'a',
    TRACE,
  ],
  [
    'a diagnostic',
    (page) => page.locator('[data-cell-id=b]').getByRole('button', { name: 'Explain' }).click(),
    'b',
    'invalid syntax',
  ],
];
for (const [what, press, cellId, quote] of PREPARED) {
  test(`[AG-66] ${what} is asked about with its text as data, and nothing is sent by itself`, async ({
    page,
    serve,
  }) => {
    const world = await open(page, serve);
    const { ai, field, panel } = world;
    await press(page);
    await expect(field).toBeFocused();
    expect(ai.chats).toEqual([]);
    await expect(panel).toContainText(`About ${cellId === 'a' ? 'trips' : 'fit'}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => ai.chats.length).toBe(1);
    expect(ai.last.body.cell_id).toBe(cellId);
    expect(ai.last.body.message).toContain(`as data:\n\`\`\`text\n${quote}\n\`\`\``);
  });
}

test('[AG-67] an answer can be stopped, asked for again, and its message written again', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, field } = world;
  await send(world, 'one');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('First half');
  await expect(panel).toContainText('First half');
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => ai.last.isLeft()).toBe(true);
  await expect(panel).toContainText('Stopped. What was received is kept.');
  await expect(panel).toContainText('First half');
  await expect(field).toBeFocused();

  await panel.getByRole('button', { name: 'Regenerate' }).click();
  await expect.poll(() => ai.chats.length).toBe(2);
  await expect(panel).not.toContainText('First half');
  ai.last.delta('A whole answer.');
  ai.last.done();
  await expect(panel).toContainText('900 tokens in');
  await send(world, 'two');
  await expect.poll(() => ai.chats.length).toBe(3);
  expect(ai.last.body.history).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'A whole answer.' },
  ]);
  ai.last.delta('Second.');
  ai.last.done();
  await expect(panel.locator('[data-turn=done]')).toHaveCount(2);
  await expect(panel.locator('article')).toHaveCount(2);

  await panel.getByRole('button', { name: 'Edit message' }).first().click();
  await expect(field).toHaveValue('one');
  await page.keyboard.type(' more');
  await page.keyboard.press('Enter');
  await expect.poll(() => ai.chats.length).toBe(4);
  expect(ai.last.body).toMatchObject({ message: 'one more', history: [] });
  await expect(panel.locator('article')).toHaveCount(1);
});

interface Failing {
  readonly say: (world: World) => void;
  readonly code: string;
  readonly words: readonly string[];
}
const FAILING: Readonly<Record<string, Failing>> = {
  refused: {
    say: ({ ai }) => ai.last.error('The provider rejected the API key.', 'ai_failed'),
    code: 'ai_failed',
    words: ['The provider rejected the API key.', 'Check the address, the model and the key', 'AI settings…'],
  },
  'too slow': {
    say: ({ ai }) => ai.last.error('Nothing came for 60 s.', 'ai_timeout'),
    code: 'ai_timeout',
    words: ['Nothing came for 60 s.', 'raise the idle timeout'],
  },
  busy: {
    say: ({ ai }) => ai.last.error('The rate limit is reached (429).', 'ai_rate_limited'),
    code: 'ai_rate_limited',
    words: ['The rate limit is reached (429).', 'Wait a minute'],
  },
  'a lost connection': {
    say: ({ ai }) => ai.last.breakOff(),
    code: 'lost',
    words: ['The connection was lost. What was received is kept.'],
  },
};
for (const [what, { say, code, words }] of Object.entries(FAILING)) {
  test(`[AG-68] ${what}: says what to do, keeps what came, and tries again`, async ({ page, serve }) => {
    const world = await open(page, serve);
    const { panel, ai } = world;
    await send(world, 'Explain');
    await expect.poll(() => ai.chats.length).toBe(1);
    ai.last.delta('Some text');
    await expect(panel).toContainText('Some text');
    say(world);
    const failure = panel.locator(`[data-failure=${code}]`);
    for (const one of words) await expect(failure).toContainText(one);
    await expect(panel).toContainText('Some text');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => ai.chats.length).toBe(2);
    expect(ai.last.body.message).toBe('Explain');
  });
}

const REFUSED: Readonly<Record<string, readonly [status: number, code: string, words: string]>> = {
  'another job runs': [409, 'conflict', 'Wait until the other job is done'],
  'no provider any more': [503, 'ai_unavailable', 'Set a model and a key first.'],
};
for (const [what, [status, code, words]] of Object.entries(REFUSED)) {
  test(`[AG-68] a job that is refused says so: ${what}`, async ({ page, serve }) => {
    const world = await open(page, serve);
    world.fake.answers.aiAgent = refusal(status, 'The server says no.');
    await send(world, 'do it', 'Agent');
    const failure = world.panel.locator(`[data-failure=${code}]`);
    await expect(failure).toContainText('The server says no.');
    await expect(failure).toContainText(words);
    await expect(failure.getByRole('button', { name: 'Try again' })).toBeEnabled();
  });
}

test('[AG-69] a job reports in plain words, and its changes are undone as one', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'load the column', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  expect(ai.jobs[0]).toEqual({
    ...{ message: 'load the column', auto_approve: false, confirm_all: true },
    ...{ extra_tools: true, leave_out: [] },
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
    ...{ id: 'assistant-job00001', deed: 'assistant' },
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
  await expect(page.locator('.toast-words').last()).toHaveText('These changes are already undone.');
});

const QUESTIONS: readonly (readonly [
  question: Parameters<FakeAssistant['ask']>[0],
  shown: readonly (string | RegExp)[],
])[] = [
  [
    {
      ...{ tool: 'edit_cell', summary: 'Change cell trips' },
      preview: {
        ...{ kind: 'edit', cell_id: 'a', before: 'trips = load()', after: 'trips = load(1)', diff: '' },
        stale: ['b'],
      },
    },
    ['Changes to trips', '+trips = load(1)', 'Becomes stale: fit'],
  ],
  [
    {
      ...{ tool: 'delete_cell', summary: 'Delete cell trips' },
      preview: { kind: 'delete', cell_id: 'a', source: 'trips = load()', stale: ['b'], lost: ['trips'] },
    },
    ['−trips = load()', 'No cell would define: trips'],
  ],
  [
    {
      ...{ tool: 'run_cell', summary: 'Run cell fit' },
      preview: { kind: 'run', cell_id: 'b', source: 'fit = x', upstream: ['a'] },
    },
    ['Code of fit', 'fit = x', 'Runs first: trips'],
  ],
  [
    {
      ...{ tool: 'create_cell', summary: 'Add a python cell' },
      preview: { kind: 'create', language: 'python', source: 'new = 1', after_cell_id: 'b' },
    },
    ['New python cell after fit', 'new = 1'],
  ],
  [
    {
      ...{ tool: 'add_package', summary: 'Add the package pandas' },
      preview: {
        ...{ kind: 'packages', requirement: 'pandas', problem: null },
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
    // The card has the focus, none of its buttons: a key on its way allows nothing.
    await expect(card).toBeFocused();
    await expect(panel.getByRole('alert')).toContainText(`The assistant asks: ${question.summary}`);
    await card.getByRole('button', { name: 'Decline' }).click();
    await expect(card).toHaveCount(0);
    await expect(world.field).toBeFocused();
    const answer = { job_id: 'job00001', request_id: '0123456789ab', approved: false };
    await expect
      .poll(() => fake.received.at(-1))
      .toEqual({ type: 'agent_confirm_response', payload: answer });
  });
}

test('[AG-71] a question takes no focus from a text that is being written', async ({ page, serve }) => {
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
  await expect.poll(() => fake.received.at(-1)?.payload).toMatchObject({ approved: true });
});

test('[AG-71] a question in a closed panel is announced with the way to it', async ({ page, serve }) => {
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

test('[AG-72] a job is stopped, and one that ended while the connection was lost says so', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { panel, ai, fake } = world;
  await send(world, 'first', 'Agent');
  await expect.poll(() => ai.jobs.length).toBe(1);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => fake.received.at(-1)?.type).toBe('agent_cancel');
  await expect(panel.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
  ai.done({ cancelled: true });
  await expect(panel).toContainText('Stopped. Changes made before are kept until you undo them.');

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
          ...{ job_id: 'job00001', message: 'the request of now', iteration: 2, text: 'so far' },
          ...{ tokens: { input: 1, output: 1 }, confirmation: null },
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
