/** Functions shared between cells in a browser, against a real server: an example, and what cannot be shared. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const EXAMPLE = ['geometry', 'cities', 'unit', 'words', 'tour', 'farthest'];

async function exampleCells(): Promise<readonly CellText[]> {
  const folder = join(PROJECT_ROOT, 'examples/shared-code/cells');
  return Promise.all(
    EXAMPLE.map(async (id) => ({ id, source: await readFile(join(folder, `${id}.py`), 'utf8') })),
  );
}

test(
  '[WI-114] shared code runs, and an edited function makes the cells that use it stale',
  longOnly('e2e/contract/sharedCode.test.ts', 'src-renderer/panels/workbench.test.tsx'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal(await exampleCells());
    await openLive(page, url);
    const run = page.getByRole('button', { name: 'Run stale', exact: true });
    await run.click();
    for (const id of EXAMPLE) {
      await expect(statusOf(page, id)).toHaveAttribute('data-status', 'ready');
    }
    const tour = page.locator('[data-cell-id=tour]');
    await expect(tour).toContainText('Lisbon → Madrid');
    const before = await tour.locator('.output').innerText();
    await expectAccessible(page);

    await editCell(page, 'words', 'def told(km):\nreturn f"{unit} {km:.0f}"');
    await page.keyboard.press('Escape');
    for (const id of ['tour', 'farthest']) {
      await expect(statusOf(page, id)).toHaveAttribute('data-status', 'stale');
    }
    // Cells that do not use the function stay ready.
    await expect(statusOf(page, 'cities')).toHaveAttribute('data-status', 'ready');
    await run.click();
    await expect(statusOf(page, 'tour')).toHaveAttribute('data-status', 'ready');
    await expect(tour).toContainText(/km \d+/);
    expect(await tour.locator('.output').innerText()).not.toBe(before);
  },
);

test(
  '[WI-114] names that cannot be shared are listed with the reason, before and after the run',
  longOnly('e2e/contract/sharedCode.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal([
      { id: 'make', source: 'f = lambda q: q' },
      { id: 'read', source: 'f(1)' },
    ]);
    await openLive(page, url);
    const make = page.locator('[data-cell-id=make]');
    await expect(make).toContainText(/`?f`?.*lambda/i);
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(statusOf(page, 'make')).toHaveAttribute('data-status', 'error');
    await expect(make).toContainText('cannot be shared with other cells. It is a lambda');
    await expectAccessible(page);
    await editCell(page, 'make', 'def f(q): return q');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(statusOf(page, 'read')).toHaveAttribute('data-status', 'ready');
  },
);
