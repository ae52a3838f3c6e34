/** Live runs in a browser, against a real server: an edit runs the cells below when the edited cell is left. */

import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import { editCell, openLive, test } from '../support/realServerFixture.ts';

const CELLS = [
  { id: 'one', source: 'n = 1' },
  { id: 'two', source: 'double = n * 2\ndouble' },
  { id: 'three', source: 'double + 1' },
];

test(
  '[EX-93] [EX-94] with automatic runs, leaving an edited cell runs the cells that depend on it, except an excluded one',
  longOnly('src-renderer/panels/runs/runs.test.tsx', 'src-main/session/reduce/autoRun.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal(CELLS);
    await openLive(page, url);
    const cell = (id: string) => page.locator(`[data-cell-id=${id}]`);
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(cell('three').locator('.output-shell')).toContainText('3');

    await page.getByRole('button', { name: 'Runs', exact: true }).click();
    const auto = page.locator('.runs').getByRole('region', { name: 'Automatic runs' });
    await auto.getByRole('radio', { name: 'Live' }).click();
    await expect(page.locator('[data-auto-run=live]')).toBeVisible();
    await expect(page.locator('.profile-table tbody tr')).toHaveCount(3);
    await expectAccessible(page);

    await editCell(page, 'one', 'n = 10');
    await expect(page.locator('[data-saved=true]')).toBeVisible();
    // The text is saved but the cell is still being edited, so nothing runs.
    await expect(cell('three').locator('.output-shell')).toContainText('3');
    await page.keyboard.press('Escape');
    await expect(cell('two').locator('.output-shell')).toContainText('20');
    await expect(cell('three').locator('.output-shell')).toContainText('21');

    await page.locator('[data-cell-id=two] .bar').click();
    await page.getByRole('switch', { name: 'Run this cell automatically' }).click();
    await expect(page.getByRole('switch', { name: 'Run this cell automatically' })).not.toBeChecked();
    await editCell(page, 'one', 'n = 100');
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-auto-run=live]')).toContainText('2 not run automatically');
    await expect(cell('three').locator('.output-shell')).toContainText('21');
  },
);
