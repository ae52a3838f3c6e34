/**
 * The question to the assistant at a cell, in the whole window against a fake server: asking, accepting
 * changes, conflicts and failures.
 */

import { AI_UNSET, FakeAssistant } from '../../../e2e/support/fakeAssistant.ts';
import type { FakeServer } from '../../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';

const SOURCE = 'one = 1\na = 0\ntwo = 2\nb = 0\nfour = 4';
const BETTER = 'one = 10\na = 0\ntwo = 2\nb = 0\nfour = 40';

interface World {
  readonly page: Page;
  readonly fake: FakeServer;
  readonly ai: FakeAssistant;
  readonly box: ReturnType<Page['locator']>;
  readonly field: ReturnType<Page['locator']>;
}

async function open(page: Page, serve: Serve, options: { readonly unset?: true } = {}): Promise<World> {
  const cells = [
    fakeCell({ id: 'a', defines: ['one'], source: SOURCE }),
    fakeCell({ id: 'b', source: '' }),
    fakeCell({ id: 'c', language: 'markdown', source: '# Trips' }),
  ];
  const { fake, url } = await serve(fakeBody({ name: 'Trips', cells }));
  const ai = options.unset ? new FakeAssistant(fake, AI_UNSET) : new FakeAssistant(fake);
  await openPage(page, url);
  const box = page.locator('[data-ask]');
  return { page, fake, ai, box, field: box.getByRole('textbox', { name: 'What should change?' }) };
}

/** Selects a cell, by keyboard from the start of the page. */
async function goTo(page: Page, cellId: 'a' | 'b' | 'c'): Promise<void> {
  for (const id of ['a', 'b', 'c'].slice(0, ['a', 'b', 'c'].indexOf(cellId) + 1)) {
    await page.keyboard.press('j');
    await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', id);
  }
}

/** Opens the question at a cell, unless it is open, and sends it. */
async function ask(
  { page, box, field, ai }: World,
  cellId: 'a' | 'b' | 'c',
  question: string,
): Promise<void> {
  if ((await box.count()) === 0) {
    await goTo(page, cellId);
    await page.keyboard.press('Control+k');
  }
  await expect(field).toBeFocused();
  await page.keyboard.type(question);
  const before = ai.chats.length;
  await page.keyboard.press('Enter');
  await expect.poll(() => ai.chats.length).toBe(before + 1);
}

function answer({ ai }: World, code: string, language = 'python'): void {
  ai.last.delta(`\`\`\`${language}\n${code}\n\`\`\`\nDone.`);
  ai.last.done();
}

test('[AG-80] asks about one cell, shows the changes as they arrive, and accepts them as one undo step', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { ai, box, fake } = world;
  await ask(world, 'a', 'times ten');
  expect(ai.last.body.cell_id).toBe('a');
  expect(ai.last.body.message).toContain('Change the python cell one.');
  expect(ai.last.body.message).toContain('times ten');
  await expect(box).toContainText('Waiting for the model…');
  ai.last.delta('```python\none = 10\na = 0\ntwo');
  await expect(box.getByRole('region', { name: 'Incoming changes' })).toContainText('+one = 10');
  await expect(box.getByRole('button', { name: 'Accept' })).toHaveCount(0);
  ai.last.delta(' = 2\nb = 0\nfour = 40\n```\nMultiplied.');
  ai.last.done();
  await expect(box.getByRole('region', { name: 'Proposed changes' })).toContainText('−four = 4 +four = 40');
  await expect(box).toContainText('Multiplied.');
  await expect(box.getByRole('status').first()).toContainText('The answer has 2 changes.');
  expect(fake.cell('a').source).toBe(SOURCE);
  await page.keyboard.press('Control+Enter');
  await expect(box).toHaveCount(0);
  await expect.poll(() => fake.cell('a').source).toBe(BETTER);
  await expect(page.locator('[data-cell-id=a]')).toBeFocused();
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('a').source).toBe(SOURCE);
});

/** [what, the buttons in turn, the text of the cell] */
const CHOICES: readonly (readonly [string, readonly string[], string])[] = [
  ['accept all', ['Accept all'], BETTER],
  ['reject all', ['Reject all'], SOURCE],
  ['one of two', ['Accept change 2', 'Reject change 1'], 'one = 1\na = 0\ntwo = 2\nb = 0\nfour = 40'],
  ['each accepted', ['Accept change 1', 'Accept change 2'], BETTER],
  ['a choice that is changed', ['Accept change 1', 'Reject change 1', 'Reject change 2'], SOURCE],
  ['all but one', ['Reject change 1', 'Accept the rest'], 'one = 1\na = 0\ntwo = 2\nb = 0\nfour = 40'],
  ['the rest rejected', ['Accept change 1', 'Reject the rest'], 'one = 10\na = 0\ntwo = 2\nb = 0\nfour = 4'],
];
for (const [what, buttons, source] of CHOICES) {
  test(`[AG-81] by change: ${what}`, async ({ page, serve }) => {
    const world = await open(page, serve);
    const { box, fake } = world;
    await ask(world, 'a', 'times ten');
    answer(world, BETTER);
    await expect(box.getByRole('group', { name: /^Change \d of 2/ })).toHaveCount(2);
    for (const name of buttons) await box.getByRole('button', { name, exact: true }).click();
    await expect(box).toHaveCount(0);
    await expect.poll(() => fake.cell('a').source).toBe(source);
    await expect(page.locator('[data-cell-id=a]')).toBeFocused();
  });
}

test('[AG-82] what is typed while the answer arrives is kept, and the changes are those to the new text', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { box, fake } = world;
  await ask(world, 'a', 'times ten');
  fake.setCell('a', { source: SOURCE.replace('two = 2', 'two = 22') });
  fake.broadcastState();
  await expect(page.locator('[data-cell-id=a] .code-text')).toContainText('two = 22');
  answer(world, BETTER);
  await expect(box.getByRole('group', { name: /^Change \d of 2/ })).toHaveCount(2);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => fake.cell('a').source).toBe(BETTER.replace('two = 2', 'two = 22'));
});

test('[AG-82] if the same line was typed since, the changes report that, and undo restores it', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { box, fake } = world;
  const mine = SOURCE.replace('one = 1', 'one = 5');
  await ask(world, 'a', 'times ten');
  answer(world, BETTER);
  await expect(box.getByRole('region', { name: 'Proposed changes' })).toContainText('−one = 1 +one = 10');
  fake.setCell('a', { source: mine });
  fake.broadcastState();
  await expect(box).toContainText('You have edited the same lines since you asked.');
  await expect(box.getByRole('region', { name: 'Proposed changes' })).toContainText('−one = 5 +one = 10');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => fake.cell('a').source).toBe(BETTER);
  await page.keyboard.press('z');
  await expect.poll(() => fake.cell('a').source).toBe(mine);
});

test('[AG-83] Escape ends the request and writes nothing; Stop returns the question to the field', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { ai, box, field, fake } = world;
  await ask(world, 'a', 'times ten');
  ai.last.delta('```python\none = 10\n');
  await expect(box).toContainText('+one = 10');
  await box.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => ai.last.isLeft()).toBe(true);
  await expect(field).toHaveValue('times ten');
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => ai.chats.length).toBe(2);
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect.poll(() => ai.last.isLeft()).toBe(true);
  await expect(page.locator('[data-cell-id=a]')).toBeFocused();
  expect(fake.cell('a').source).toBe(SOURCE);
});

test('[AG-83] an answer without code, a truncated answer and a failure explain what to do', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { ai, box, fake } = world;
  await ask(world, 'a', 'why?');
  ai.last.delta('It is **right** already.');
  ai.last.done();
  await expect(box).toContainText('The answer has no code for this cell.');
  await expect(box.locator('.markdown strong')).toHaveText('right');
  await ask(world, 'a', 'again');
  expect(ai.last.body.history).toEqual([
    { role: 'user', content: 'why?' },
    { role: 'assistant', content: 'It is **right** already.' },
  ]);
  ai.last.delta('```python\none = 1');
  ai.last.done();
  await expect(box).toContainText('ended before its code was complete');
  await expect(box.getByRole('button', { name: 'Accept' })).toHaveCount(0);
  await ask(world, 'a', 'once more');
  ai.last.error('The rate limit is reached (429).', 'ai_rate_limited');
  await expect(box.getByRole('alert')).toContainText('Wait a minute');
  await box.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => ai.chats.length).toBe(4);
  expect(ai.last.body.message).toContain('once more');
  expect(fake.cell('a').source).toBe(SOURCE);
});

/** [what, the cell, the language of the block] */
const EMPTY: readonly (readonly [string, 'b' | 'c', string, string])[] = [
  ['an empty cell is written', 'b', 'python', 'total = 1 + 1'],
  ['a text cell is changed', 'c', 'markdown', '# Rides'],
];
for (const [what, cellId, language, code] of EMPTY) {
  test(`[AG-84] ${what}`, async ({ page, serve }) => {
    const world = await open(page, serve);
    const { ai, box, fake } = world;
    await ask(world, cellId, 'please');
    if (fake.cell(cellId).source === '') {
      expect(ai.last.body.message).toMatch(/^Write the python cell .*, which is empty\./);
    }
    answer(world, code, language);
    await box.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => fake.cell(cellId).source).toBe(code);
  });
}

test('[AG-85] what would be sent can be seen before, and cells can be left out', async ({ page, serve }) => {
  const world = await open(page, serve);
  const { ai, box, field } = world;
  await goTo(page, 'a');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await box.getByText('What is sent').click();
  await expect(box).toContainText('Sent to qwen3:8b at http://localhost:11434/v1');
  const row = box.locator('.assistant-cells li').last();
  await row.getByRole('checkbox').click();
  await expect(row).toContainText('not sent');
  expect(ai.chats).toEqual([]);
  await field.focus();
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await expect.poll(() => ai.chats.length).toBe(1);
  expect(ai.last.body.leave_out).toEqual(['c']);
});

test('[AG-85] without a provider the question explains how to set one, and nothing is sent', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve, { unset: true });
  const { ai, box } = world;
  await goTo(page, 'a');
  await page.keyboard.press('Control+k');
  await expect(box).toContainText('No AI model is set, so nothing is sent. On this computer: start Ollama');
  await box.getByRole('button', { name: 'Set up the assistant' }).click();
  await expect(page.locator('[data-panel=assistant]')).toContainText('No AI model is set');
  expect(ai.chats).toEqual([]);
});

test('[AG-86] the question opens from the editor, the menu of the cell and the palette; Escape leads back', async ({
  page,
  serve,
}) => {
  const world = await open(page, serve);
  const { box, field } = world;
  await goTo(page, 'a');
  await page.keyboard.press('Enter');
  const editor = page.locator('[data-cell-id=a] [data-editor]');
  await expect(editor).toBeFocused();
  await page.keyboard.type('# typed\n');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');

  await page.keyboard.press('F1');
  await page.keyboard.type('Ask the assistant about');
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);

  await page.locator('[data-cell-id=a]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Ask the assistant about this cell/ }).click();
  await expect(field).toBeFocused();
});
