/**
 * Inline AI suggestions in a browser: accepting, cancelling, when none are requested, failures and accessibility.
 * Against a fake server and a fake model.
 */

import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { AI_UNSET, FakeAssistant } from '../support/fakeAssistant.ts';
import { type FakeServer, refusal } from '../support/fakeServer.ts';
import { expect, openPage, storeBefore, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

const CELLS = [
  fakeCell({ id: 'make', source: 'rows = load()', defines: ['rows'] }),
  fakeCell({ id: 'use', source: '# total', references: ['rows'] }),
];
const body = () => fakeBody({ name: 'N', cells: CELLS });

const ghost = (page: Page): Locator => page.locator('.ghost-text-decoration, .ghost-text-decoration-preview');
const multiline = (page: Page): Locator => page.locator('.suggest-preview-text, .ghost-text');
const list = (page: Page): Locator => page.locator('.suggest-widget.visible');

async function enter(page: Page, { on = true } = {}, url = ''): Promise<void> {
  if (on) await storeBefore(page, url, { 'cellar.preferences': '{"inlineSuggestions":true}' });
  await openPage(page, url);
  await page.locator('[data-outline=use]').click();
  await page.locator('[data-cell-id=use]').press('Enter');
  await expect(page.locator('[data-cell-id=use] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
}

/**
 * Types, and waits for the request that a pause after it sends: one whose text before the caret matches `before`. While
 * the list of names closes, a pause sends none; then the next key does.
 */
async function typeAndPause(page: Page, ai: FakeAssistant, text: string, before: RegExp): Promise<void> {
  await page.keyboard.type(text);
  const hasRequest = (): boolean => before.test(ai.suggested.at(-1)?.before ?? '');
  await expect(async () => {
    if (hasRequest()) return;
    await page.keyboard.type(' ');
    await page.keyboard.press('Backspace');
    await expect.poll(hasRequest, { timeout: 5_000 }).toBe(true);
  }).toPass();
}

/** Leaves the cell, and returns the text that the server then has. */
async function leaveCell(page: Page, fake: FakeServer): Promise<string> {
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
  return fake.cell('use').source;
}

test('[AG-104] Tab accepts a suggestion, Ctrl+Right accepts one word of it, Escape removes it', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  ai.suggest = () => 'sum(rows) + 1';
  await enter(page, {}, url);
  await page.keyboard.type('\ntotal = ');
  await expect(ghost(page).first()).toHaveText('sum(rows) + 1');
  expect(ai.suggested).toEqual([{ cell_id: 'use', before: '# total\ntotal = ', after: '', leave_out: [] }]);
  await page.keyboard.press('Control+ArrowRight');
  await expect(ghost(page).first()).toHaveText('(rows) + 1');
  // The rest of the suggestion needs no further request.
  expect(ai.suggested).toHaveLength(1);
  ai.suggest = () => '';
  await page.keyboard.press('Tab');
  await expect(ghost(page)).toHaveCount(0);
  ai.suggest = () => 'rest';
  await page.keyboard.type('\nx1 = ');
  await expect(ghost(page).first()).toHaveText('rest');
  await page.keyboard.press('Escape');
  await expect(ghost(page)).toHaveCount(0);
  // Only the next Escape leaves edit mode.
  await expect(page.locator('[data-cell-id=use] [data-editor=live]')).toBeVisible();
  expect(await leaveCell(page, fake)).toBe('# total\ntotal = sum(rows) + 1\nx1 = ');
});

test('[AG-104] Tab indents if no suggestion is shown, and accepts an entry of an open list of names', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  await enter(page, {}, url);
  await typeAndPause(page, ai, '\nif rows:\n', /\n *$/);
  await page.keyboard.press('Tab');
  ai.suggest = () => 'ange(3)';
  await page.keyboard.type('ro');
  await expect(list(page).getByRole('option')).toHaveCount(1);
  await expect.poll(() => ai.suggested.at(-1)?.before).toMatch(/ro$/);
  await expect(ghost(page).first()).toHaveText('ange(3)');
  await page.keyboard.press('Tab');
  expect(await leaveCell(page, fake)).toBe('# total\nif rows:\n        rows');
});

test('[AG-104] several lines are shown below the caret and accepted together', async ({ page, serve }) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  ai.suggest = () => '\n    return sum(rows)';
  await enter(page, {}, url);
  await typeAndPause(page, ai, '\ndef total():', /def total\(\):$/);
  await expect(multiline(page).first()).toContainText('return sum(rows)');
  ai.suggest = () => '';
  await page.keyboard.press('Tab');
  await expect(ghost(page)).toHaveCount(0);
  expect(await leaveCell(page, fake)).toBe('# total\ndef total():\n    return sum(rows)');
});

test('[AG-103] typing cancels a request, and its answer is never shown', async ({ page, serve }) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  let open: () => void = () => undefined;
  fake.gates.aiSuggest = new Promise((resolve) => {
    open = resolve;
  });
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/x/ai/suggest'));
  await enter(page, {}, url);
  const firstRequest = page.waitForRequest((request) => request.url().endsWith('/x/ai/suggest'));
  await page.keyboard.type('\ntotal = ');
  await firstRequest;
  ai.suggest = ({ before }) => (before.endsWith('total = ') ? 'late()' : 'now()');
  await page.keyboard.type('a + ');
  await cancelled;
  open();
  await expect(ghost(page).first()).toHaveText('now()');
  await expect(page.locator('body')).not.toContainText('late()');
});

const SILENT: readonly [
  what: string,
  options: { on?: boolean; body?: object; ai?: typeof AI_UNSET; leaveOut?: boolean },
][] = [
  ['the setting is off', { on: false }],
  ['the folder is not trusted', { body: { untrusted: 'You have not trusted this folder.' } }],
  ['no provider is set', { ai: AI_UNSET }],
];

for (const [what, options] of SILENT) {
  test(
    `[AG-103] no request is sent while ${what}`,
    longUnless(options.ai === undefined, 'e2e/app/suggestions.spec.ts'),
    async ({ page, serve }) => {
      const { fake, url } = await serve({ ...body(), ...options.body });
      const ai = new FakeAssistant(fake, options.ai);
      ai.suggest = () => 'sum(rows)';
      const status = page.waitForResponse((response) => response.url().endsWith('/ai/status'));
      await enter(page, { on: options.on ?? true }, url);
      await page.keyboard.type('\ntotal = ro');
      // Waits for the list of names, which also appears after a pause: without a pause no request would be sent.
      await expect(list(page)).toBeVisible();
      if (options.ai !== undefined) await status;
      else status.catch(() => undefined);
      await page.keyboard.press('Escape');
      await page.keyboard.type('ws');
      await leaveCell(page, fake);
      expect(ai.suggested).toEqual([]);
      await expect(ghost(page)).toHaveCount(0);
    },
  );
}

test('[AG-105] a failure pauses suggestions, and the status bar shows the reason', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  ai.suggest = () => refusal(429, 'The provider is busy.');
  await enter(page, {}, url);
  await page.keyboard.type('\ntotal = ');
  const paused = page.locator('[data-suggestions=paused]');
  await expect(paused).toHaveText('AI suggestions paused');
  await expect(paused).toHaveAttribute('title', /The provider is busy/);
  await page.keyboard.type('a + ');
  await leaveCell(page, fake);
  expect(ai.suggested).toHaveLength(1);
});

test('[AG-105] a suggestion is not announced, and the page stays accessible', async ({ page, serve }) => {
  const { fake, url } = await serve(body());
  const ai = new FakeAssistant(fake);
  ai.suggest = () => 'sum(rows)';
  await enter(page, {}, url);
  await page.keyboard.type('\ntotal = ');
  await expect(ghost(page).first()).toHaveText('sum(rows)');
  await expectAccessible(page, { only: '[data-cell-id=use]' });
  await expect(page.locator('.monaco-aria-container')).not.toContainText('sum(rows)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page, { only: '[data-cell-id=use]', coloursOnly: true });
});
