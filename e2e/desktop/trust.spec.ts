import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { choose, expect, menu, statusOf, test } from './desktopApp.ts';

/** Answers all following system dialogs with this button, and records them. */
async function answer(app: ElectronApplication, button: number): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push(JSON.stringify(args.at(-1)));
      return Promise.resolve({ response, checkboxChecked: false });
    };
  }, button);
}
const asked = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
const banner = (page: Page) => page.locator('.notice', { has: page.locator('[data-untrusted]') });

test('[DK-24] a folder from elsewhere runs nothing until the user confirms in the system dialog', async ({
  person,
  start,
}) => {
  const dir = await person.notebook('from a friend', undefined, 'foreign');
  const first = await start();
  await choose(first.app, dir);
  await menu(first.app, 'openNotebook');
  const { page } = first;
  await expect(banner(page)).toHaveAttribute('role', 'status');
  await expect(banner(page)).toContainText('Nothing runs in this folder until you trust it.');
  // The folder can be read and edited like any other.
  await page.locator('[data-cell-id=answer] .code-click').click();
  await expect(page.locator('[data-cell-id=answer] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nprint("edited")');
  await page.keyboard.press('Escape');
  await menu(first.app, 'run.all');
  await expect(banner(page)).toHaveAttribute('role', 'alert');
  await expect(statusOf(page, 'answer')).toHaveAttribute('data-status', 'idle');
  expect(existsSync(join(dir, '.venv'))).toBe(false);

  // A script of the page can request trust, like the button, but only the user can confirm it.
  await answer(first.app, 1);
  const asks = (path: string): Promise<boolean> =>
    page.evaluate(
      (folder) =>
        (
          window as unknown as { cellarShell: { trustNotebook(path: string): Promise<boolean> } }
        ).cellarShell.trustNotebook(folder),
      path,
    );
  expect(await asks(dir)).toBe(false);
  expect((await asked(first.app))[0]).toContain(dir);
  await menu(first.app, 'run.all');
  await expect(statusOf(page, 'answer')).toHaveAttribute('data-status', 'idle');

  await answer(first.app, 0);
  await banner(page).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(banner(page)).toHaveCount(0);
  // The environment is created only now; a run requested before it is ready waits and starts automatically.
  await menu(first.app, 'run.all');
  await expect(statusOf(page, 'answer')).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  await expect(page.locator('[data-cell-id=answer]')).toContainText('edited');
  await first.quit();

  const second = await start({ args: [dir] });
  await expect(statusOf(second.page, 'answer')).toHaveAttribute('data-status', 'ready');
  await expect(banner(second.page)).toHaveCount(0);
});

test('[DK-26] [DK-10] a notebook that the user creates elsewhere by the menu is trusted and runs, also after a restart', async ({
  person,
  start,
}) => {
  const first = await start();
  await first.app.evaluate(
    ({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
    },
    join(person.home, 'mine'),
  );
  await menu(first.app, 'newNotebook');
  const dialog = first.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Choose' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('mine');
  await dialog.getByRole('button', { name: /^(Create|Make)/ }).click();
  const cell = first.page.locator('[data-cell-id]').first();
  await expect(cell).toBeVisible();
  await expect(banner(first.page)).toHaveCount(0);
  // The first cell of a new notebook opens in edit mode.
  await expect(cell.locator('[data-editor=live]')).toBeVisible();
  await first.page.keyboard.type('print("my", "own")');
  await first.page.keyboard.press('Escape');
  await menu(first.app, 'run.all');
  await expect(cell).toContainText('my own', { timeout: 60_000 });
  const path = new URLSearchParams(first.page.url().split('?')[1]).get('path') ?? '';
  expect(path).toBe(join(person.home, 'mine'));
  // From a window with a notebook, the dialog opens in a new window, so that it does not replace the notebook.
  await menu(first.app, 'newNotebook');
  await expect.poll(() => first.app.windows().filter((page) => page.url().endsWith('#/')).length).toBe(1);
  await first.quit();

  const second = await start({ args: [path] });
  await expect(second.page.locator('[data-cell-id]').first()).toContainText('my own');
  await expect(banner(second.page)).toHaveCount(0);
});

test('[DK-29] a trusted folder that is replaced outside Cellar needs confirmation again, while it is open and at the next start', async ({
  person,
  start,
}) => {
  const dir = await person.notebook('swapped');
  const first = await start({ args: [dir] });
  const { page } = first;
  await expect(statusOf(page, 'answer')).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await rename(dir, `${dir} of before`);
  await expect(page.getByText('no longer exists')).toBeVisible();
  await person.notebook('swapped', [{ id: 'answer', source: 'print("somebody else’s")' }], 'foreign');
  await expect(banner(page)).toContainText('Nothing runs in this folder until you trust it.');
  await expect(page.locator('[data-cell-id=answer]')).toContainText('somebody else’s');
  await menu(first.app, 'run.all');
  await expect(banner(page)).toHaveAttribute('role', 'alert');
  await expect(statusOf(page, 'answer')).toHaveAttribute('data-status', 'idle');
  await first.quit();

  const second = await start({ args: [dir] });
  await expect(statusOf(second.page, 'answer')).toHaveAttribute('data-status', 'idle');
  await expect(banner(second.page)).toBeVisible();
  await answer(second.app, 0);
  await banner(second.page).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(banner(second.page)).toHaveCount(0);
  await second.quit();

  const third = await start({ args: [dir] });
  await expect(statusOf(third.page, 'answer')).toBeVisible();
  await expect(banner(third.page)).toHaveCount(0);
});
