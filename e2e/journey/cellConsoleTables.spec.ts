import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
const PYTHON = process.env['CELLAR_TEST_PYTHON'];

test(
  '[IN-3] [IN-10] tables and images in a console are shown like those of a cell, but not stored',
  longOnly('e2e/contract/inspect.test.ts', 'src-renderer/panels/cellConsole/cellConsole.test.tsx'),
  async ({ page, serveReal }) => {
    test.skip(PYTHON === undefined, 'needs an interpreter with pandas and matplotlib');
    const { url } = await serveReal([{ id: 'make', source: 'n = 50' }]);
    await openLive(page, url);
    await page.locator('[data-cell-id=make] .bar').click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Shift+L');
    const prompt = page.locator('.cell-console-prompt textarea');
    await expect(prompt).toBeFocused();
    const last = page.locator('.cell-console-entry').last();
    // The notebook of a test has no packages, so the console uses those of the test interpreter.
    const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
    const packages = execFileSync(PYTHON ?? '', ['-c', where], { encoding: 'utf8' }).trim();
    await prompt.fill(
      `import sys; sys.path.insert(0, ${JSON.stringify(packages)}); import pandas as pd; trips = pd.DataFrame({"km": range(50), "day": "mon"})`,
    );
    await page.keyboard.press('Enter');
    await expect(last).toHaveAttribute('data-answered', 'true');
    await expect(last.locator('.error')).toHaveCount(0);
    await prompt.fill('import matplotlib.pyplot as plt; plt.plot(trips.km)');
    await page.keyboard.press('Enter');
    await expect(last.locator('img')).toBeVisible();
    await prompt.fill('trips[trips.km > 20]');
    await page.keyboard.press('Enter');
    await expect(last.getByRole('grid')).toBeVisible();
    await expect(last).toContainText('29');
    await expect(last.locator('.cell-console-expr')).toBeInViewport();
    await expectAccessible(page, { only: '.cell-console' });
    if (SHOTS === undefined) return;
    await page.screenshot({ path: `${SHOTS}/cell-console-table.png` });
    await page.setViewportSize({ width: 720, height: 800 });
    await page.screenshot({ path: `${SHOTS}/cell-console-narrow.png` });
  },
);
