/**
 * The assistant panel in a browser: a fix of an error, a declined question and a failure, by keyboard alone, with
 * accessibility checks in both themes. The server and the model are fakes.
 */

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { AI_UNSET, FakeAssistant } from '../support/fakeAssistant.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longOnly } from '../support/longOnly.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PANEL = { only: '[data-panel=assistant]' };
const SOURCE = 'daily = trips.groupby("day").kilometres.sum()';
const FIXED = 'daily = trips.groupby("day").km.sum()';
const ERROR = `Traceback (most recent call last):\n  File "<cell b>", line 1, in <module>\nAttributeError: 'DataFrameGroupBy' object has no attribute 'kilometres'`;

function failedNotebook() {
  const cells = [
    fakeCell({ id: 'a', defines: ['trips'], source: 'trips = load("trips.csv")', status: 'ready' }),
    fakeCell({ id: 'b', defines: ['daily'], source: SOURCE, status: 'error', error: ERROR }),
  ];
  return fakeBody({ name: 'Trips', cells });
}

/** Presses Tab until a control has the focus, like a user without a pointer. */
async function tabTo(page: Page, name: string, keys: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const target = page
    .locator(`button:focus`, { hasText: name })
    .or(page.locator(`[aria-label="${name}"]:focus`));
  for (let press = 0; press < 30 && (await target.count()) === 0; press += 1) await page.keyboard.press(keys);
  await expect(target).toBeVisible();
}

/** Checks the page in light and dark; checks that do not depend on colours run once. */
async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page, PANEL);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page, { ...PANEL, coloursOnly: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
}

test(
  '[AG-74] an error is explained and fixed by keyboard alone',
  longOnly('src-renderer/panels/assistant/assistant.test.tsx', 'e2e/app/assistant.spec.ts'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(failedNotebook());
    const ai = new FakeAssistant(fake);
    await openPage(page, url);
    const panel = page.locator('[data-panel=assistant]');
    await page.keyboard.press('Control+Shift+A');
    await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
    await expect(panel).toContainText('What is sent');
    await expect(panel.getByRole('checkbox')).toHaveCount(2);
    await expectAccessibleInBoth(page);

    await page.keyboard.press('Shift+F6');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect(page.locator('[data-cell-id=b]')).toBeFocused();
    await page.keyboard.press('F1');
    await page.keyboard.insertText('Fix error with the assistant');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
    await expect(panel.getByRole('textbox', { name: 'Message' })).toHaveValue(/no attribute 'kilometres'/);
    await page.keyboard.press('Enter');
    await expect.poll(() => ai.chats.length).toBe(1);
    ai.last.delta('The column is called `km`:\n\n');
    ai.last.delta(`\`\`\`python\n${FIXED}\n\`\`\`\n\n- Check the **other** cells.\n`);
    ai.last.done();
    await expect(panel).toContainText('900 tokens in');
    await expectAccessibleInBoth(page);

    await tabTo(page, 'Replace cell', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replace the code of daily?' });
    await expect(dialog.locator('.diff')).toContainText(FIXED);
    await expectAccessible(page, { only: '[role=dialog]' });
    await tabTo(page, 'Accept');
    await page.keyboard.press('Enter');
    await expect.poll(() => fake.cell('b').source).toBe(FIXED);
  },
);

test(
  '[AG-74] a question is declined by keyboard, and the job continues',
  longOnly('src-renderer/panels/assistant/assistantJobs.test.tsx'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(failedNotebook());
    const ai = new FakeAssistant(fake);
    await openPage(page, url);
    const panel = page.locator('[data-panel=assistant]');
    await page.keyboard.press('Control+Shift+A');
    await tabTo(page, 'Ask', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect(panel.getByRole('radio', { name: 'Agent' })).toBeChecked();
    const field = panel.getByRole('textbox', { name: 'Message' });
    await page.keyboard.press('Control+Shift+A');
    await page.keyboard.press('Control+Shift+A');
    await expect(field).toBeFocused();
    await page.keyboard.insertText('Remove the first cell');
    await page.keyboard.press('Enter');
    await expect.poll(() => ai.jobs.length).toBe(1);
    const deleting = ai.call('delete_cell', { variable_name: 'trips' });
    ai.ask({
      tool: 'delete_cell',
      summary: 'Delete cell trips',
      preview: { kind: 'delete', cell_id: 'a', source: 'trips = load()', stale: ['b'], lost: ['trips'] },
    });
    const card = panel.getByRole('group', { name: 'Delete cell trips?' });
    await expect(card).toBeFocused();
    await expect(card).toBeInViewport();
    await expectAccessibleInBoth(page);
    await tabTo(page, 'Decline');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => fake.received.findLast(({ type }) => type !== 'cell_focus'))
      .toMatchObject({ type: 'agent_confirm_response', payload: { approved: false } });
    deleting('declined: the person does not want this change.');
    ai.done({ content: 'I left the cell as it is.' });
    await expect(panel).toContainText('You declined: delete trips');
    await expect(panel).toContainText('I left the cell as it is.');
    await expect(field).toBeFocused();
  },
);

test('[AG-74] the ways to set up a model and an error are accessible, also in a narrow window', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(failedNotebook());
  const ai = new FakeAssistant(fake, AI_UNSET);
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+A');
  const panel = page.locator('[data-panel=assistant]');
  await expect(panel).toContainText('No AI model is set');
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 800, height: 700 });
  await page.keyboard.press('Escape');
  const { aiStatus: _unset, ...others } = fake.answers;
  fake.answers = others;
  const ready = new FakeAssistant(fake);
  await page.keyboard.press('Control+Shift+A');
  await expect(panel).toBeVisible();
  await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.insertText('Hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => ready.chats.length).toBe(1);
  ready.last.error('The provider’s rate limit is reached (429).', 'ai_rate_limited');
  await expect(panel.getByRole('button', { name: 'Try again' })).toBeInViewport();
  await expectAccessibleInBoth(page);
  expect(ai.chats).toEqual([]);
});
