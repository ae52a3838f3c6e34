import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test } from '../support/packagesFixture.ts';
import { openLive, statusOf } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test(
  '[WI-183] the cell’s button installs a missing package, even if its name differs from the import, and reruns the cell',
  longOnly(
    'src-renderer/panels/environment/packages.test.tsx',
    'e2e/journey/packages.spec.ts',
    'e2e/faults/packageChanges.test.ts',
  ),
  async ({ page, serveReal, packages }) => {
    const { url } = await serveReal(
      [
        { id: 'a', source: 'import yaml\nprint("yaml is", yaml.VERSION)' },
        { id: 'b', source: 'import nobody_has_it' },
      ],
      { server: { env: packages } },
    );
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=a]');
    await cell.getByRole('button', { name: /^Run/ }).first().click();
    await expect(cell).toContainText('Package “pyyaml” is not installed.');
    await expectAccessible(page);
    // The error and its button are still shown after a reload.
    await page.reload();
    const install = cell.getByRole('button', { name: 'Install pyyaml' });
    await expect(install).toBeEnabled();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/missing-${colorScheme}.png` });
    }
    await install.press('Enter');
    const look = page.getByRole('dialog', { name: 'Add pyyaml' });
    await expect(look.getByRole('list', { name: 'Changes' })).toContainText('new, 6.0');
    await look.getByRole('button', { name: 'Apply' }).press('Enter');
    await expect(cell).toContainText('yaml is 6.0');
    await expect(install).toBeHidden();
    // The palette adds a package in the same way; if it does not exist, the error is shown before any change.
    const other = page.locator('[data-cell-id=b]');
    await other.getByRole('button', { name: /^Run/ }).first().click();
    await expect(other).toContainText('Package “nobody_has_it” is not installed.');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('install missing');
    await page.keyboard.press('Enter');
    const refused = page.getByRole('dialog', { name: 'Add nobody_has_it' });
    await expect(refused.getByRole('alert')).toContainText('nobody-has-it was not found');
    await expect(refused.getByRole('button', { name: 'Apply' })).toBeDisabled();
  },
);

/** A uv that waits before it starts while a file exists. */
function heldUv(dir: string) {
  mkdirSync(dir, { recursive: true });
  const [uv, gate] = [join(dir, 'uv'), join(dir, 'gate')];
  writeFileSync(
    uv,
    `#!/bin/sh\nwhile [ -e '${gate}' ]; do sleep 0.05; done\nexec '${process.env['SVC_UV']}' "$@"\n`,
  );
  chmodSync(uv, 0o755);
  return { uv, hold: () => writeFileSync(gate, ''), letGo: () => rmSync(gate) };
}

test(
  '[WI-3] runs requested while a package is added are queued and start automatically, unless they are removed',
  longOnly('src-renderer/panels/connection.test.tsx', 'src-renderer/outputs/outputs.test.tsx'),
  async ({ page, serveReal, packages }, info) => {
    test.skip(process.platform === 'win32', 'a stand-in of the test is a shell script');
    const held = heldUv(info.outputDir);
    const { url } = await serveReal(
      [
        { id: 'a', source: 'import pear\nprint("pear is", pear.VERSION)' },
        { id: 'b', source: 'print("never")' },
      ],
      { server: { env: { ...packages, SVC_UV: held.uv } } },
    );
    await openLive(page, url);
    await page.getByRole('button', { name: 'Environment', exact: true }).click();
    const field = page.getByRole('region', { name: 'Packages' }).getByRole('textbox', { name: 'Package' });
    await field.fill('pear');
    await field.press('Enter');
    const apply = page.getByRole('dialog', { name: 'Add pear' }).getByRole('button', { name: 'Apply' });
    await expect(apply).toBeEnabled();
    held.hold();
    await apply.press('Enter');
    await expect(page.locator('[data-environment-state=pending]')).toBeVisible();
    const cell = page.locator('[data-cell-id=a]');
    const other = page.locator('[data-cell-id=b]');
    await cell.getByRole('button', { name: /^Run/ }).first().click();
    await expect(cell).toContainText('waiting for the environment');
    await other.getByRole('button', { name: /^Run/ }).first().click();
    await expect(other).toContainText('waiting for the environment');
    await other
      .getByRole('button', { name: /^(Stop|Cancel|Take)/ })
      .first()
      .click();
    await expect(other).not.toContainText('waiting for the environment');
    held.letGo();
    await expect(cell).toContainText('pear is 1.0');
    await expect(statusOf(page, 'a')).toHaveAttribute('data-status', 'ready');
    await expect(statusOf(page, 'b')).toHaveAttribute('data-status', 'idle');
  },
);
