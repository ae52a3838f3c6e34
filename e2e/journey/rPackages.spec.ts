import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { createTestRRepository, hasR, NO_R } from '../../src-main/environment/r/testing/testRepository.ts';
import { createTestIndex, indexSettings } from '../../src-main/environment/testing/testIndex.ts';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test as base, openLive, statusOf } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

/** Repositories of tiny packages of R and of Python, and the server settings that point to them. */
const test = base.extend<{ packages: Readonly<Record<string, string>> }>({
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  packages: async ({}, use) => {
    const index = await createTestIndex();
    const repository = await createTestRRepository({ renv: 'installed' });
    await repository.add({ name: 'apple', version: '1.0' });
    await use({ ...indexSettings(index), ...repository.env });
    await repository.close();
    await index.close();
  },
});

const SOURCE =
  'said <- if (requireNamespace("apple", quietly = TRUE)) apple::version() else "without"\nprint(said)';

test(
  '[EN-55] the R section sets up, adds and restores packages by keyboard, and reports failures',
  longOnly('src-renderer/panels/environment/rPackages.test.tsx', 'e2e/contract/rEnvironment.test.ts'),
  async ({ page, serveReal, packages }) => {
    test.skip(!hasR, NO_R);
    test.slow();
    const cells = [{ id: 'a', language: 'r', source: SOURCE }] as const;
    const { url, dir } = await serveReal(cells, { server: { env: packages } });
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=a]');
    const run = () => cell.getByRole('button', { name: /^Run/ }).first().click();
    await run();
    await expect(cell).toContainText('without');
    // Waits for the end of the run, because packages are not changed while a cell runs.
    await expect(cell).toHaveAttribute('data-status', 'ready');
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const card = page.getByRole('region', { name: 'R', exact: true });
    await expect(card).toContainText(/Version\s*\d+\.\d+\.\d+/);
    await card.getByRole('button', { name: 'Set up R packages' }).press('Enter');
    await expect(card).toContainText('No R packages are installed');
    expect(await readFile(join(dir, 'renv.lock'), 'utf8')).toContain('"Packages"');
    const field = card.getByRole('textbox', { name: 'R package' });
    await field.fill('apple>=1');
    await field.press('Enter');
    await expect(card.getByRole('alert')).toContainText('Enter the name of a single R package');
    await field.fill('nobody.has.it');
    await field.press('Enter');
    const log = page.locator('.job');
    await expect(log).toContainText("failed to retrieve package 'nobody.has.it'");
    await field.fill('apple');
    await field.press('Enter');
    await expect(card.locator('[data-r-package=apple]')).toContainText('1.0');
    await expect(log).toContainText('renv::install("apple")');
    await expect(statusOf(page, 'a')).not.toHaveAttribute('data-status', 'ready');
    await run();
    await expect(cell).toContainText('1.0');
    // Waits for the end of the run, because packages are not changed while a cell runs.
    await expect(statusOf(page, 'a')).toHaveAttribute('data-status', 'ready');
    await card.getByRole('button', { name: 'Restore from lock file' }).press('Enter');
    await expect(log).toContainText('renv::restore()');
    await expect(card).toHaveAttribute('data-r-state', 'ok');
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await card.scrollIntoViewIfNeeded();
      await expectAccessible(page);
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/r-card-${colorScheme}.png` });
    }
    if (SHOTS !== undefined) {
      await page.setViewportSize({ width: 900, height: 800 });
      await page.screenshot({ path: `${SHOTS}/r-card-900.png` });
    }
  },
);

test(
  '[WI-183] the error of a missing R package links to the set-up of a library, then installs the package by its button',
  longOnly('src-renderer/panels/environment/rPackages.test.tsx', 'e2e/contract/rEnvironment.test.ts'),
  async ({ page, serveReal, packages }) => {
    test.skip(!hasR, NO_R);
    test.slow();
    // The package name is computed, because the set-up installs the packages whose names it can read.
    const source = 'fruit <- paste0("app", "le")\nlibrary(fruit, character.only = TRUE)\nprint(version())';
    const cells = [{ id: 'a', language: 'r', source }] as const;
    const { url } = await serveReal(cells, { server: { env: packages } });
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=a]');
    await cell.getByRole('button', { name: /^Run/ }).first().click();
    await expect(cell).toContainText('Set up R packages for this notebook in the environment panel');
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const card = page.getByRole('region', { name: 'R', exact: true });
    await card.getByRole('button', { name: 'Set up R packages' }).press('Enter');
    await expect(card).toContainText('No R packages are installed');
    const install = cell.getByRole('button', { name: 'Install apple and rerun' });
    await expect(install).toBeEnabled();
    await expectAccessible(page);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/r-missing.png` });
    await install.press('Enter');
    await expect(cell).toContainText('1.0');
    await expect(install).toBeHidden();
  },
);

test(
  '[EN-55] without R the section says what to do, and has no buttons',
  longOnly('src-renderer/panels/environment/rPackages.test.tsx', 'e2e/contract/rEnvironment.test.ts'),
  async ({ page, serveReal }) => {
    const cells = [{ id: 'a', language: 'r', source: 'x <- 1' }] as const;
    const { url } = await serveReal(cells, { server: { env: { SVC_RSCRIPT: '/nowhere/Rscript' } } });
    await openLive(page, url);
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const card = page.getByRole('region', { name: 'R', exact: true });
    await expect(card).toContainText('Install R');
    await expect(card.getByRole('button', { name: 'Set up R packages' })).toBeDisabled();
    await expectAccessible(page);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/r-card-missing.png` });
  },
);
