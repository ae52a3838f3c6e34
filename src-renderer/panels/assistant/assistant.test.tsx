/**
 * The chat of the assistant panel, in the whole window against a fake server: settings, answers, inserting
 * code, failures and cost.
 */

import { AI_READY, AI_UNSET } from '../../../e2e/support/fakeAssistant.ts';
import { refusal } from '../../../e2e/support/fakeServer.ts';
import { fakeBody } from '../../../e2e/support/fakeServerNotebook.ts';
import { notebook, open, send, TRACE, type World } from '../../testing/assistantWorld.ts';
import { expect, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';

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
    ['No AI model is set', 'Nothing is sent', /On this computer.*11434\/v1.*With a provider/s],
  ],
  [
    'no key for the address of the notebook: where to set one',
    {
      before: ({ fake }) => {
        fake.answers.aiStatus = { ...AI_UNSET, own: { ...AI_UNSET.own, base_url: 'https://ai.example/v1' } };
      },
    },
    ['No AI model is set', 'No API key is set.'],
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

test('[ED-94] the server’s hint does not repeat how a model is set', async ({ page, serve }) => {
  const { panel } = await open(page, serve, {
    before: ({ fake }) => {
      fake.answers.aiStatus = AI_UNSET;
    },
  });
  await expect(panel).toContainText('No AI model is set');
  await expect(panel).not.toContainText('No API key is set.');
});

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
    base_url: 'http://localhost:11434/v1',
    max_context_tokens: 8_000,
    approval_timeout_seconds: 30,
  });
  await expect(panel).toContainText('Ask about this notebook');
});

test('[AG-62] a cell that is left out is not sent with any message', async ({ page, serve }) => {
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
  // A command for a terminal is not inserted into a cell.
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
  test(`[AG-66] ${what} is put into a question as data, and nothing is sent automatically`, async ({
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

test('[AG-67] an answer can be stopped, requested again, and its message edited', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { panel, ai, field } = world;
  await send(world, 'one');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('First half');
  await expect(panel).toContainText('First half');
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => ai.last.isLeft()).toBe(true);
  await expect(panel).toContainText('Stopped. The part that arrived is kept.');
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
    words: ['The connection was lost. The part that arrived is kept.'],
  },
};
for (const [what, { say, code, words }] of Object.entries(FAILING)) {
  test(`[AG-68] ${what}: a message says what to do, the text so far stays, and a retry is possible`, async ({
    page,
    serve,
  }) => {
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
  test(`[AG-68] the refusal of a job is shown: ${what}`, async ({ page, serve }) => {
    const world = await open(page, serve);
    world.fake.answers.aiAgent = refusal(status, 'The server says no.');
    await send(world, 'do it', 'Agent');
    const failure = world.panel.locator(`[data-failure=${code}]`);
    await expect(failure).toContainText('The server says no.');
    await expect(failure).toContainText(words);
    await expect(failure.getByRole('button', { name: 'Try again' })).toBeEnabled();
  });
}

test('[AG-110] the cost of tokens is shown if the person entered the price of the model', async ({
  page,
  serve,
}) => {
  localStorage.setItem('cellar.preferences', '{"aiPrices":"qwen3:8b 1000 2000; other 1 1"}');
  const world = await open(page, serve);
  const { panel, ai } = world;
  await expect(panel.locator('.assistant-context summary').first()).toContainText('tokens, about $');
  await send(world, 'explain');
  await expect.poll(() => ai.chats.length).toBe(1);
  ai.last.delta('It loads.');
  ai.last.done();
  await expect(panel).toContainText('900 tokens in · 120 out · about $1.14');
});
