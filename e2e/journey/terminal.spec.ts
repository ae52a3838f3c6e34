import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots, to inspect a run by hand; unset: none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const shot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/terminal-${name}.png` });
};

const screen = (page: Page) => page.locator('.shell .xterm-rows');

test('[TM-1] [TM-3] a terminal by keyboard: open, work, a second one, reload, close', async ({
  page,
  serveReal,
}) => {
  const { url, dir } = await serveReal([{ id: 'one', source: 'x = 1' }], {
    server: { env: { SHELL: '/bin/sh', PS1: '$ ', ENV: '' } },
  });
  await openLive(page, url);
  await page.keyboard.press('Control+`');
  await expect(page.locator('.shell')).toHaveAttribute('data-phase', 'open');
  await expect(screen(page)).toContainText('$');
  await page.keyboard.type('basename "$(pwd)"; printf "\\033[32mgreen\\033[0m\\n"; ls -A\n');
  await expect(screen(page)).toContainText(dir.split('/').at(-1) ?? '');
  await expect(screen(page)).toContainText('green');
  await expect(screen(page)).toContainText('notebook.toml');
  await shot(page, 'light');
  await expectAccessible(page);

  // Keys of the shell are not commands of the notebook, and F6 leads out.
  await page.keyboard.type('echo dd aa\n');
  await page.keyboard.press('Control+p');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+c');
  await page.keyboard.press('F6');
  await expect(page.locator('.shell textarea')).not.toBeFocused();

  await page.getByRole('button', { name: 'New terminal' }).click();
  await expect(page.getByRole('button', { name: 'sh 2', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(screen(page)).toContainText('$');
  await page.keyboard.type('exit 4\n');
  await expect(page.getByText('The shell has exited with code 4.')).toBeVisible();
  await shot(page, 'exited');
  await page.getByRole('button', { name: 'Close sh 2' }).click();

  await page.reload();
  await expect(page.getByRole('button', { name: 'sh 1', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(screen(page)).toContainText('dd aa');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(page, 'dark');
  await expectAccessible(page);
  await page.setViewportSize({ width: 640, height: 700 });
  await shot(page, 'narrow');
  await page.getByRole('button', { name: 'Close sh 1' }).click();
  await expect(page.getByText('No terminal is open')).toBeVisible();
  await shot(page, 'empty');
});
