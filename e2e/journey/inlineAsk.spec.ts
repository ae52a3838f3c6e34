import { expect, type Page } from '@playwright/test';
import { startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const SOURCE =
  'prices = [14, 11, 17]\ntotal = 0\nfor price in prices:\n    total += price\nmean = total / 3\n';
const ANSWER =
  'prices = [14, 11, 17]\ntotal = sum(prices)\ncount = len(prices)\nfor price in prices:\n    total += price\nmean = total / count';

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Presses Tab until a control has the focus, like a user without a pointer. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true });
  for (let press = 0; press < 20; press += 1) {
    if (await wanted.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

test(
  '[AG-86] a question at a cell changes it, and each change is reviewed, by keyboard alone',
  longOnly('src-renderer/notebook/assistant/inlineAsk.test.tsx'),
  async ({ page, serveReal }) => {
    const ai = await startAiServer();
    const env = {
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    };
    const { url } = await serveReal(
      [
        { id: 'prices', source: SOURCE },
        { id: 'other', source: 'x = 1' },
      ],
      { server: { env } },
    );
    ai.next({ kind: 'text', text: `\`\`\`python\n${ANSWER}\n\`\`\`\nIt uses \`sum\` and \`len\`.` });
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=prices]');
    await expect(cell).toBeVisible();
    await page.keyboard.press('j');
    await expect(cell).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-editor=live]')).toBeVisible();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('group', { name: /^Ask about/ });
    await expect(box.getByRole('textbox', { name: 'What should change?' })).toBeFocused();
    await page.keyboard.insertText('Use sum and len');
    await page.keyboard.press('Enter');
    await expect(box.getByRole('group', { name: /^Change \d of 2/ })).toHaveCount(2);
    const sent = JSON.stringify(ai.asked.at(-1)?.body?.messages);
    expect(sent).toContain('Use sum and len');
    await expectAccessible(page, { only: '[data-ask]' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expectAccessible(page, { only: '[data-ask]', coloursOnly: true });
    await page.emulateMedia({ colorScheme: 'light' });
    await shoot(page, 'ask');
    if (SHOTS !== undefined) {
      await page.setViewportSize({ width: 480, height: 800 });
      await shoot(page, 'ask-narrow');
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    await tabTo(page, 'Accept change 1');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Accept change 2');
    await page.keyboard.press('Enter');
    await expect(box).toHaveCount(0);
    await expect(cell.locator('.view-lines')).toContainText('mean = total / count');
    await expect(cell.locator('[data-editor] .native-edit-context')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(cell).toBeFocused();

    await page.keyboard.press('F1');
    await page.keyboard.insertText('Show changes by the assistant');
    await page.keyboard.press('Enter');
    const panel = page.locator('[data-panel=assistant]');
    const row = panel.locator('[data-change=prices]');
    await expect(row).toContainText('mean = total / count');
    await expectAccessible(page, { only: '[data-panel=assistant]' });
    await shoot(page, 'changes');
    await panel.getByRole('button', { name: /^Revert the change to/ }).focus();
    await page.keyboard.press('Enter');
    await expect(row).toHaveAttribute('data-state', 'reverted');
    await expect(cell.locator('.code')).toContainText('mean = total / 3');
    await ai.close();
  },
);

test(
  '[AG-92] the settings allow agents to connect, and stop allowing it',
  longOnly('src-renderer/home/agentSettings.test.tsx'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal([{ id: 'a', source: 'x = 1' }]);
    await openLive(page, url);
    const endpoint = new URL('/mcp/', url).href;
    const answers = async (): Promise<number> => (await page.request.get(endpoint)).status();
    expect(await answers()).toBe(404);
    await page.keyboard.press('Control+,');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('switch', { name: 'Let agents connect' }).click();
    await expect(dialog.locator('pre')).toContainText('claude mcp add');
    await expect(dialog).toContainText('/mcp/');
    // The endpoint exists: it answers 400 to a request without a session.
    await expect.poll(answers).toBe(400);
    await expectAccessible(page, { only: '[role=dialog]' });
    await dialog.getByText('Agents have your rights').scrollIntoViewIfNeeded();
    await shoot(page, 'settings');
    await page.setViewportSize({ width: 420, height: 800 });
    await dialog.getByText('Agents have your rights').scrollIntoViewIfNeeded();
    await shoot(page, 'settings-narrow');
    await dialog.getByRole('switch', { name: 'Let agents connect' }).click();
    await expect.poll(answers).toBe(404);
  },
);
