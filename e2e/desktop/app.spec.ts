/**
 * The packaged desktop app on a real Electron: opening folders, restart of a killed server, second instances, dropped
 * folders, quitting and window positions.
 */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { APP, choose, environment, expect, menu, serverOf, statusOf, test } from './desktopApp.ts';

test('[DK-5] runs the packaged app on a real Electron', async ({ start }) => {
  const { app } = await start();
  const versions = await app.evaluate(({ app: it }) => ({
    electron: process.versions.electron,
    chrome: process.versions['chrome'],
    node: process.versions.node,
    packaged: it.isPackaged,
    name: it.getName(),
  }));
  console.log(`desktop tests: ${JSON.stringify(versions)}, server on Node ${process.version}`);
  expect(versions).toMatchObject({ packaged: true, name: 'Cellar' });
  if (process.env['CELLAR_TEST_APP'] === undefined) {
    expect(versions).toMatchObject({ electron: '22.3.25', node: '16.17.1' });
    expect(versions.chrome).toMatch(/^108\./);
  }
});

test('[DK-3] [DK-6] [DK-31] opens a folder by the system dialog, runs it, and has the result and the theme after a restart', async ({
  person,
  start,
}) => {
  const dir = await person.notebook('weather 🌦 2026');
  const first = await start();
  await choose(first.app, dir);
  await menu(first.app, 'openNotebook');
  await expect(statusOf(first.page, 'answer')).toBeVisible();
  await expect
    .poll(() =>
      first.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('run.all')?.enabled),
    )
    .toBe(true);
  await menu(first.app, 'run.all');
  await expect(statusOf(first.page, 'answer')).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  await expect(first.page.locator('[data-cell-id=answer]')).toContainText('it is 42');
  const { pid } = serverOf(person);
  const colours = (page: Page) => page.locator('html').getAttribute('data-theme');
  const before = await colours(first.page);
  for (let turn = 0; (await colours(first.page)) === before && turn < 3; turn += 1) {
    await first.page.locator('body').press('Control+Shift+P');
    await first.page.keyboard.type('Switch theme');
    await first.page.keyboard.press('Enter');
    await expect(first.page.getByRole('dialog')).toHaveCount(0);
  }
  const newTheme = await colours(first.page);
  expect(newTheme).not.toBe(before);
  await first.quit();
  // The server ends with the app.
  expect(() => process.kill(pid, 0)).toThrow();

  // The second start has the theme of the first one, and the result without a run.
  const second = await start({ args: [dir] });
  await expect(statusOf(second.page, 'answer')).toHaveAttribute('data-status', 'ready');
  await expect(second.page.locator('[data-cell-id=answer]')).toContainText('it is 42');
  expect(await colours(second.page)).toBe(newTheme);
});

test('[DK-7] a server killed during a run restarts at its address, and the window works without a reload', async ({
  person,
  start,
}) => {
  // The cell takes long only in its first run.
  const mark = JSON.stringify(join(person.home, 'begun'));
  const slow = [
    'import pathlib, time',
    `mark = pathlib.Path(${mark})`,
    'first = not mark.exists()',
    'mark.touch()',
    // The card also shows the source, so this text occurs only in the output.
    'print("has", "begun", flush=True)',
    'time.sleep(600 if first else 0)',
  ].join('\n');
  const dir = await person.notebook('long', [
    { id: 'slow', source: slow },
    { id: 'quick', source: 'print("still", "here")' },
  ]);
  const { app, page } = await start({ args: [dir] });
  await expect(statusOf(page, 'slow')).toBeVisible();
  await menu(app, 'run.all');
  await expect(page.locator('[data-cell-id=slow]')).toContainText('has begun', { timeout: 60_000 });
  const before = serverOf(person);
  // Records what the window shows in the meantime, even if only for a moment.
  await page.evaluate(() => {
    const states: string[] = [];
    Object.assign(window, { said: states });
    new MutationObserver(() => {
      states.push(document.querySelector('[data-link] [role=status]')?.textContent ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  process.kill(before.pid, 'SIGKILL');
  await expect.poll(() => serverOf(person).pid, { timeout: 60_000 }).not.toBe(before.pid);
  const after = serverOf(person);
  expect({ url: after.url, token: after.token }).toEqual({ url: before.url, token: before.token });
  await expect(page.locator('[data-link=live]')).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said))
    .toContain('Connection lost');
  // The page was not reloaded, and the notebook still works in it.
  expect(new URL(page.url()).origin).toBe(before.url);
  await expect(statusOf(page, 'slow')).not.toHaveAttribute('data-status', 'running', { timeout: 60_000 });
  // A run is refused until the page is connected again; a user would press the button again.
  await expect(async () => {
    await page.locator('[data-cell-id=quick]').click();
    await menu(app, 'cell.run');
    await expect(page.locator('[data-cell-id=quick]')).toContainText('still here', { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
});

test('[DK-9] a second start opens its folder in the first instance, one window per folder', async ({
  person,
  start,
}) => {
  const [one, two] = [await person.notebook('one'), await person.notebook('two')];
  const { app, page } = await start({ args: [one] });
  await expect(statusOf(page, 'answer')).toBeVisible();
  const windows = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(
        (window) => decodeURIComponent(window.webContents.getURL()).split('path=')[1],
      ),
    );
  const again = (folder: string): string =>
    execFileSync(APP, ['--no-sandbox', `--user-data-dir=${person.userData}`, folder], {
      cwd: person.home,
      env: environment(person),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  again(two);
  await expect.poll(windows).toHaveLength(2);
  await expect.poll(async () => [...(await windows())].sort()).toEqual([one, two].sort());
  again(one);
  // A path relative to the working directory, and of a file of the notebook.
  again('elsewhere/two/notebook.toml');
  await expect.poll(async () => [...(await windows())].sort()).toEqual([one, two].sort());
});

test('[DK-8] access is granted only to dropped folders', async ({ person, start }) => {
  const dir = await person.notebook('dropped');
  const { page } = await start();
  await page.evaluate(() => {
    const shell = (
      window as unknown as { cellarShell: { grantDropped(file: unknown): Promise<string | null> } }
    ).cellarShell;
    const holder = window as unknown as { granted: Promise<string | null> };
    // In the capture phase, like the page's own listener, which keeps dropped files away from elements.
    window.addEventListener('dragover', (event) => event.preventDefault(), true);
    window.addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        holder.granted = shell.grantDropped(event.dataTransfer?.files[0]);
      },
      true,
    );
  });
  const madeUp = await page.evaluate(() => {
    const shell = (
      window as unknown as { cellarShell: { grantDropped(file: unknown): Promise<string | null> } }
    ).cellarShell;
    return Promise.all([
      shell.grantDropped(new File(['x'], 'etc')),
      shell.grantDropped({ name: 'etc', path: '/etc' }),
      shell.grantDropped('/etc'),
    ]);
  });
  expect(madeUp).toEqual([null, null, null]);
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [dir], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { granted?: Promise<string | null> }).granted))
    .toBe(dir);
  const opened = await page.evaluate(
    async (path) =>
      (
        await fetch('/v1/notebooks/open', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path }),
        })
      ).status,
    dir,
  );
  expect(opened).toBe(200);
});

test('[DK-6] quitting asks for confirmation only while a cell runs', async ({ person, start }) => {
  const dir = await person.notebook('busy', [{ id: 'slow', source: 'import time\ntime.sleep(600)' }]);
  const { app, page } = await start({ args: [dir] });
  await expect(statusOf(page, 'slow')).toBeVisible();
  await app.evaluate(({ dialog }) => {
    const questions: string[] = [];
    Object.assign(globalThis, { questions });
    dialog.showMessageBox = (...args: unknown[]) => {
      questions.push(JSON.stringify(args.at(-1)));
      return Promise.resolve({ response: 1, checkboxChecked: false });
    };
  });
  await menu(app, 'run.all');
  await expect(statusOf(page, 'slow')).toHaveAttribute('data-status', 'running', { timeout: 60_000 });
  await app.evaluate(({ app: it }) => it.quit());
  const questions = () => app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);
  await expect.poll(questions).toHaveLength(1);
  expect((await questions())[0]).toContain('Test notebook');
  // The answer was no, so nothing has changed.
  await expect(statusOf(page, 'slow')).toHaveAttribute('data-status', 'running');
});

test('[DK-11] a window opens at its last position, on a connected display', async ({ start }) => {
  const first = await start();
  await first.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 900, height: 640 });
  });
  const bounds = (app: typeof first.app) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
  const lastBounds = await bounds(first.app);
  await first.quit();
  const second = await start();
  await expect.poll(() => bounds(second.app)).toEqual(lastBounds);
  await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setPosition(5_000, 5_000),
  );
  await second.quit();
  const third = await start();
  const [placement, area] = await third.app.evaluate(({ BrowserWindow, screen }) => [
    BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
    screen.getPrimaryDisplay().workArea,
  ]);
  expect(placement?.x ?? 9_999).toBeLessThan(area?.width ?? 0);
  expect(placement?.y ?? 9_999).toBeLessThan(area?.height ?? 0);
});
