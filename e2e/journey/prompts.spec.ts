import { expect } from '@playwright/test';
import { startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { expectAccessible } from '../support/axe.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const ANSWER = '**Three** rows, of which\n\n- two are even,\n- one is odd.\n';

test('[PR-12] a prompt’s answer is shown in its cell as rendered text, and its model is chosen beside it', async ({
  page,
  serveReal,
}) => {
  const ai = await startAiServer();
  const env = {
    SVC_AI_BASE_URL: `${ai.origin}/v1`,
    SVC_AI_API_KEY: 'server-key-0123456789',
    SVC_AI_MODEL: 'small-1',
  };
  const { url } = await serveReal(
    [
      { id: 'rows', source: 'rows = [1, 2, 4]' },
      { id: 'ask', source: '# @name ans\nDescribe {{ rows }} in *one* sentence.', language: 'prompt' },
    ],
    { server: { env } },
  );
  ai.next({ kind: 'text', text: ANSWER });
  await openLive(page, url);
  const cell = page.locator('[data-cell-id=ask]');
  await page
    .getByRole('button', { name: /^Run (all|stale)/ })
    .first()
    .click();
  await expect(statusOf(page, 'ask')).toHaveAttribute('data-status', 'ready');
  await expect(cell.getByRole('listitem')).toHaveText(['two are even,', 'one is odd.']);
  await expect(cell).toContainText('small-1');
  await page.getByRole('button', { name: 'Environment', exact: true }).click();
  await expectAccessible(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/prompt-${colorScheme}.png` });
  }
  await ai.close();
});
