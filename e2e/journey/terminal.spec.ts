import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const shot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/terminal-${name}.png` });
};

const screen = (page: Page) => page.locator('.shell .xterm-rows');

test('[TM-1] [TM-3] [TM-6] [TM-7] terminals are opened, used, searched, reloaded and closed by keyboard', async ({
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

  await test.step('[TM-6] the output is searched', async () => {
    await page.keyboard.press('Control+Shift+F');
    const field = page.getByRole('textbox', { name: 'Search for' });
    await expect(field).toBeFocused();
    const count = page.locator('.terminal-count');
    await field.fill('notebook.toml');
    await expect(count).toHaveText('1 of 1');
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await field.fill('notebook.t[a-o]ml|(');
    await expect(count).toHaveText('Invalid regular expression');
    await field.fill('notebook.t[a-o]ml');
    await expect(count).toHaveText('1 of 1');
    await shot(page, 'search');
    await expectAccessible(page);
    await field.fill('absent');
    await expect(count).toHaveText('No match');
    await field.press('Escape');
    await expect(page.locator('.shell textarea')).toBeFocused();
  });

  await test.step('[TM-7] an address opens after a confirmation', async () => {
    await page.keyboard.type('clear; echo https://example.org/page\n');
    const line = page.locator('.shell .xterm-rows > div', { hasText: /^https:\/\/example\.org\/page/ });
    await expect(line).toBeVisible();
    const ask = page.getByRole('dialog', { name: 'Open this address in the browser?' });
    // An address becomes a link only after the pointer has hovered over it.
    const click = () =>
      expect(async () => {
        const box = await line.boundingBox();
        await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 8);
        await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 8);
        await page.mouse.down();
        await page.mouse.up();
        await expect(ask).toBeVisible({ timeout: 2_000 });
      }).toPass();
    await click();
    await expect(ask).toContainText('https://example.org/page');
    await shot(page, 'link');
    const opened: string[] = [];
    await page.exposeFunction('noteOpened', (address: string) => opened.push(address));
    await page.evaluate(() => {
      const note = Reflect.get(window, 'noteOpened') as (address: string) => void; // the function exposed above
      window.open = (address) => {
        note(String(address));
        return null;
      };
    });
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(opened).toEqual([]);
    await expect(ask).toHaveCount(0);
    await page.mouse.move(5, 5);
    await click();
    await ask.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => opened).toEqual(['https://example.org/page']);
    await page.locator('.shell .xterm-screen').click({ position: { x: 300, y: 60 } });
  });

  // Keys typed in the shell are not commands of the notebook, and F6 leaves the terminal.
  await page.keyboard.type('echo dd aa\n');
  // Waits for the output, because the shell discards unread input when Control+C arrives.
  await expect(screen(page)).toContainText(/dd aa.*dd aa/s);
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
