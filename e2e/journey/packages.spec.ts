import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test } from '../support/packagesFixture.ts';
import { openLive, statusOf } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test('[WI-182] a package is previewed, added, used, and removed by undo, by keyboard; the earlier result is a hit again', async ({
  page,
  serveReal,
  packages,
}) => {
  const source =
    'try:\n    import apple\n    print(apple.VERSION)\nexcept ImportError:\n    print("without")';
  const { url, dir } = await serveReal([{ id: 'a', source }], { server: { env: packages } });
  await openLive(page, url);
  const run = () => page.locator('[data-cell-id=a]').getByRole('button', { name: /^Run/ }).first().click();
  const cell = page.locator('[data-cell-id=a]');
  await run();
  await expect(cell).toContainText('without');
  await page.getByRole('button', { name: 'Environment', exact: true }).click();
  const section = page.getByRole('region', { name: 'Packages' });
  const field = section.getByRole('textbox', { name: 'Package' });
  await field.fill('pear apple=1');
  await field.press('Enter');
  await expect(section.getByRole('alert')).toContainText('apple=1 has a single =. Use == for a version.');
  // [EN-75] A package is suggested by its import name, and the index is queried for a name.
  await field.fill('pear sklearn');
  await section
    .getByRole('list', { name: 'Suggestions' })
    .getByRole('button', { name: 'scikit-learn import sklearn' })
    .click();
  await expect(field).toHaveValue('pear scikit-learn');
  await expect(section.getByRole('status')).toContainText('has no package named scikit-learn');
  await field.fill('apple');
  await expect(section.getByRole('status')).toContainText('apple 2.0 is the newest version');
  await expectAccessible(page);
  await field.fill('nobody-has-it');
  await field.press('Enter');
  const refused = page.getByRole('dialog', { name: 'Add nobody-has-it' });
  await expect(refused).toContainText('nobody-has-it was not found');
  await expect(refused.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await page.keyboard.press('Escape');
  // [EN-74] Two packages are added in one job.
  await field.fill('pip install apple==1.0, pear');
  await field.press('Enter');
  const look = page.getByRole('dialog', { name: 'Add apple==1.0, pear' });
  await expect(look.getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/packages-look-${colorScheme}.png` });
  }
  await look.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(look).toBeHidden();
  await expect(section.locator('[data-package=apple]')).toContainText('1.0');
  await expect(section.locator('[data-package=pear]')).toContainText('1.0');
  await expect(statusOf(page, 'a')).not.toHaveAttribute('data-status', 'ready');
  await run();
  await expect(cell).toContainText('1.0');
  expect(await readFile(join(dir, 'pyproject.toml'), 'utf8')).toContain('apple==1.0');
  await expectAccessible(page);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/packages-done.png` });
  await page.getByRole('button', { name: 'Revert uv add apple==1.0 pear' }).click();
  await expect(section.locator('[data-package]')).toHaveCount(0);
  await run();
  await expect(cell).toContainText('without');
  await expect(cell).toContainText('cached');
});

test(
  '[WI-182] pandas is added with its dependencies, used, and removed by undo, after which the notebook still works',
  longOnly('e2e/journey/packages.spec.ts'),
  async ({ page, serveReal, packages }) => {
    const source = 'import pandas, numpy\nprint("pandas", pandas.VERSION, "on numpy", numpy.VERSION)';
    const { url, dir } = await serveReal([{ id: 'a', source }], { server: { env: packages } });
    const filesOf = async () =>
      Promise.all(['pyproject.toml', 'uv.lock'].map((name) => readFile(join(dir, name), 'utf8')));
    const before = await filesOf();
    await openLive(page, url);
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const section = page.getByRole('region', { name: 'Packages' });
    const field = section.getByRole('textbox', { name: 'Package' });
    await field.fill('pandas');
    await field.press('Enter');
    const look = page.getByRole('dialog', { name: 'Add pandas' });
    const changes = look.getByRole('list', { name: 'Changes' });
    await expect(changes.locator('[data-change=pandas]')).toContainText('new, 2.2');
    await expect(changes.locator('[data-change=numpy]')).toContainText('new, 2.0');
    expect(await filesOf()).toEqual(before);
    await look.getByRole('button', { name: 'Apply' }).press('Enter');
    await expect(section.locator('[data-package=pandas]')).toContainText('2.2');
    await expect(page.getByText('2 locked, 1 required')).toBeVisible();
    const cell = page.locator('[data-cell-id=a]');
    await cell.getByRole('button', { name: /^Run/ }).first().click();
    await expect(cell).toContainText('pandas 2.2 on numpy 2.0');
    // Waits for the run, because the environment is not changed while a cell runs.
    await expect(statusOf(page, 'a')).toHaveAttribute('data-status', 'ready');
    await page.getByRole('button', { name: 'Revert uv add pandas' }).click();
    await expect(section.locator('[data-package]')).toHaveCount(0);
    expect(await filesOf()).toEqual(before);
    await cell.getByRole('button', { name: /^Run/ }).first().click();
    await expect(cell).toContainText("No module named 'pandas'");
    await expect(cell.getByRole('button', { name: 'Install pandas' })).toBeEnabled();
  },
);
