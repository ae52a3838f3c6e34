import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test(
  '[EX-45] the number of parallel cells is set in the environment panel, by keyboard, and stored',
  longOnly('e2e/contract/parallel.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal([{ id: 'a', source: 'a = 1' }]);
    await openLive(page, url);
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const chosen = page.getByRole('combobox', { name: 'Cells in parallel' });
    await expect(chosen).toHaveText('Server default (one at a time)');
    await chosen.press('Enter');
    await page.getByRole('option', { name: 'up to 4' }).press('Enter');
    await expect(chosen).toHaveText('up to 4');
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/parallel-${colorScheme}.png` });
    }
    await page.reload();
    await expect(chosen).toHaveText('up to 4');
  },
);
