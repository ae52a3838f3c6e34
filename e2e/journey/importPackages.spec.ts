import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test } from '../support/packagesFixture.ts';
import { openLive } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const CONDA = `channels: [conda-forge]
dependencies:
  - python=3.11
  - apple=1.0
  - pear
  - nobody-has-it
  - cudatoolkit=11.8
  - r-ggplot2
`;

/** Drags a file over the window and drops it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ''], name ?? ''));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await expect(page.locator('.list-drop')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await expect(page.locator('.list-drop')).toBeHidden();
}

test(
  '[WI-184] a list of packages is imported by drop, by button and by command, after a preview of the changes',
  longOnly(
    'src-renderer/panels/environment/packages.test.tsx',
    'e2e/faults/packageChanges.test.ts',
    'src-main/environment/imports/packageList.test.ts',
  ),
  async ({ page, serveReal, packages }) => {
    const { url, dir } = await serveReal([{ id: 'a', source: '1' }], { server: { env: packages } });
    const project = () => readFile(join(dir, 'pyproject.toml'), 'utf8');
    await openLive(page, url);
    const before = await project();
    await drop(page, 'environment.yml', CONDA);
    const look = page.getByRole('dialog', { name: 'Import packages from environment.yml' });
    await expect(look.getByRole('list', { name: '5 excluded' })).toHaveCount(0);
    const left = look.getByRole('list', { name: '4 excluded' });
    await expect(left).toContainText('cudatoolkit=11.8 is available only in conda');
    await expect(left).toContainText('r-ggplot2 is available only in conda');
    await expect(left).toContainText('python=3.11 is Python itself');
    // A package that the index does not have is named, and can be excluded.
    await expect(look.getByRole('alert')).toContainText('nobody-has-it was not found');
    await expect(look.getByRole('button', { name: 'Import' })).toBeDisabled();
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/import-${colorScheme}.png` });
    }
    await look.getByRole('button', { name: 'Exclude nobody-has-it' }).press('Enter');
    await expect(look.getByRole('list', { name: 'Changes' })).toContainText('pear');
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/import-ready.png` });
    expect(await project()).toBe(before);
    await look.getByRole('button', { name: 'Import' }).press('Enter');
    await expect(look).toBeHidden();
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const section = page.getByRole('region', { name: 'Packages' });
    await expect(section.locator('[data-package=apple]')).toContainText('1.0');
    await expect(section.locator('[data-package=pear]')).toContainText('1.0');
    expect(await project()).toContain('apple==1.0');
    // Imports by the button, then a file that is no list of packages.
    await expect(page.locator('[data-environment-state=ready]')).toBeVisible();
    const choosing = page.waitForEvent('filechooser');
    await section.getByRole('button', { name: 'Import file' }).click();
    const pinned = {
      name: 'requirements.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('apple==2.0 --hash=sha256:00\n'),
    };
    await (await choosing).setFiles(pinned);
    const again = page.getByRole('dialog', { name: 'Import packages from requirements.txt' });
    await expect(again.getByRole('list', { name: 'Changes' })).toContainText('1.0 → 2.0');
    await page.keyboard.press('Escape');
    // The wait for the file chooser must start before the key press that opens it.
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('import packages from');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ ...pinned, name: 'lock.toml', buffer: Buffer.from('[project') });
    const refused = page.getByRole('dialog', { name: 'Import packages from lock.toml' });
    await expect(refused.getByRole('alert')).toContainText('cannot be read as TOML');
    await page.keyboard.press('Escape');
    await drop(page, 'huge.txt', '#'.repeat(600_000));
    await expect(page.getByText('huge.txt is too large to be a package list.').first()).toBeVisible();
  },
);
