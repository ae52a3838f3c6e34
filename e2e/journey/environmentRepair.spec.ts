import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test } from '../support/packagesFixture.ts';
import { openLive, statusOf } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test(
  '[WI-185] [WI-186] the environment jobs of a notebook are listed with logs, and problems are shown, copied and repaired',
  longOnly('src-renderer/panels/environment/diagnostics.test.tsx', 'e2e/faults/environment.test.ts'),
  async ({ page, serveReal, packages }) => {
    const secretive = { ...packages, HTTPS_PROXY: 'http://me:hush-hush@127.0.0.1:9' };
    const { url, dir } = await serveReal(
      [{ id: 'a', source: 'import apple\nprint("apple", apple.VERSION)' }],
      {
        server: { env: secretive },
      },
    );
    await openLive(page, url);
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const section = page.getByRole('region', { name: 'Packages' });
    const add = async (requirement: string, name: string): Promise<void> => {
      await section.getByRole('textbox', { name: 'Package' }).fill(requirement);
      await section.getByRole('textbox', { name: 'Package' }).press('Enter');
      const look = page.getByRole('dialog', { name: `Add ${requirement}` });
      await look.getByRole('button', { name: 'Apply' }).click();
      await expect(section.locator(`[data-package=${name}]`)).toBeVisible();
      await expect(page.locator('[data-environment-state=ready]')).toBeVisible();
    };
    await add('apple==1.0', 'apple');
    await add('pear', 'pear');
    // An earlier job is listed with its changes, its output and a button to revert it.
    const earlier = page
      .getByRole('region', { name: 'Earlier' })
      .getByRole('listitem')
      .filter({ hasText: 'uv add apple==1.0' });
    await earlier.locator('summary').press('Enter');
    await expect(earlier.getByRole('list', { name: 'Changes' })).toContainText('new, 1.0');
    await expect(earlier).toContainText('+ apple==1.0');
    await expectAccessible(page);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/history-light.png` });

    // Another program removes files of the environment, and a killed job has left temporary files.
    await rm(join(dir, '.venv', 'bin'), { recursive: true });
    await writeFile(join(dir, '.svc', 'sync-in-progress.json'), '{"lockBefore": null}');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('environment diagnostics');
    await page.keyboard.press('Enter');
    const page2 = page.getByRole('dialog', { name: 'Environment diagnostics' });
    const part = page2.getByRole('region', { name: 'Environment', exact: true });
    await expect(part).toContainText('is missing or has no Python');
    await expect(part).toContainText('sync-in-progress.json');
    await expect(page2).toContainText('http://[hidden]@127.0.0.1:9');
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 900]) {
        await page.setViewportSize({ width, height: 800 });
        if (SHOTS !== undefined)
          await page.screenshot({ path: `${SHOTS}/diagnosis-${colorScheme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page2.getByRole('button', { name: 'Copy' }).press('Enter');
    await expect(page2.getByRole('status')).toContainText('Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('! .venv: is missing');
    expect(copied).not.toContain('hush-hush');
    await page2.getByRole('button', { name: 'Repair' }).press('Enter');
    await expect(part).toContainText(', matches the lock file');
    await expect(part.locator('[data-problem=true]')).toHaveCount(0);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/diagnosis-repaired.png` });
    expect(await readdir(join(dir, '.svc'))).not.toContain('sync-in-progress.json');
    await page.keyboard.press('Escape');
    await page.locator('[data-cell-id=a]').getByRole('button', { name: /^Run/ }).first().click();
    await expect(page.locator('[data-cell-id=a]')).toContainText('apple 1.0');
    await expect(statusOf(page, 'a')).toHaveAttribute('data-status', 'ready');
    // Reverts to the state before the first job.
    await page.getByRole('button', { name: 'Revert uv add apple==1.0' }).click();
    await expect(section.locator('[data-package]')).toHaveCount(0);
  },
);
