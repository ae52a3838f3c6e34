import { execFileSync } from 'node:child_process';
import type { ElectronApplication } from '@playwright/test';
import { APP, choose, environment, expect, menu, statusOf, test } from './desktopApp.ts';

/** Tests how the app works with the system: open events, links, dock, sleep, menus and notifications. */

test('[DK-9] [DK-21] the system’s open events open a folder, and a link asks first', async ({
  person,
  start,
}) => {
  const [one, two] = [await person.notebook('one'), await person.notebook('two')];
  const { app, page } = await start();
  const answer = (response: number): Promise<void> =>
    app.evaluate(({ dialog }, button) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      dialog.showMessageBox = (...args: unknown[]) => {
        asked.push(JSON.stringify(args.at(-1)));
        return Promise.resolve({ response: button, checkboxChecked: false });
      };
    }, response);
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  const link = (path: string): string => `cellar://open?path=${encodeURIComponent(path)}`;
  // Like macOS: by an event.
  const emitted = (event: 'open-file' | 'open-url', text: string): Promise<boolean> =>
    app.evaluate(
      ({ app: it }, [name, what]) => {
        let prevented = false;
        const prevent = { preventDefault: () => (prevented = true) };
        it.emit(name as 'open-file', prevent, what);
        return prevented;
      },
      [event, text] as const,
    );

  await answer(1);
  expect(await emitted('open-url', link(two))).toBe(true);
  await expect.poll(asked).toHaveLength(1);
  expect((await asked())[0]).toContain(two);
  expect(await emitted('open-url', 'cellar://elsewhere?path=/etc')).toBe(true);
  expect(page.url()).not.toContain('path=');
  // Like Linux and Windows: by a second start.
  execFileSync(APP, ['--no-sandbox', `--user-data-dir=${person.userData}`, link(two)], {
    cwd: person.home,
    env: environment(person),
    stdio: 'ignore',
  });
  await expect.poll(asked).toHaveLength(2);
  expect(page.url()).not.toContain('path=');

  expect(await emitted('open-file', one)).toBe(true);
  await expect(statusOf(page, 'answer')).toBeVisible();
  expect(decodeURIComponent(page.url())).toContain(one);
  await answer(0);
  await emitted('open-url', link(two));
  await expect
    .poll(() => app.windows().map((each) => decodeURIComponent(each.url()).split('path=')[1]))
    .toContain(two);
  expect(await asked()).toHaveLength(1);
});

/** Records the app's requests to the dock and to prevent sleep. */
async function listen(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ BrowserWindow, powerSaveBlocker }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    for (const window of BrowserWindow.getAllWindows()) {
      window.setProgressBar = (progress: number) => void told.push(`bar ${progress}`);
    }
    const begin = powerSaveBlocker.start.bind(powerSaveBlocker);
    powerSaveBlocker.start = (type) => {
      const id = begin(type);
      told.push(`${type} ${powerSaveBlocker.isStarted(id)}`);
      return id;
    };
    const stop = powerSaveBlocker.stop.bind(powerSaveBlocker);
    powerSaveBlocker.stop = (id) => {
      const stopped = stop(id);
      told.push(`sleep again ${!powerSaveBlocker.isStarted(id)}`);
      return stopped;
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { told: string[] }).told);
}

test('[DK-22] [DK-23] a run shows its progress in the dock and prevents sleep, until it ends', async ({
  person,
  start,
}) => {
  const dir = await person.notebook('run', [{ id: 'slow', source: 'import time\ntime.sleep(1)\nprint(1)' }]);
  const { app, page } = await start({ args: [dir] });
  await expect(statusOf(page, 'slow')).toBeVisible();
  const told = await listen(app);
  await menu(app, 'run.all');
  await expect(statusOf(page, 'slow')).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  const begun = ['bar 2', 'prevent-app-suspension true'];
  // After it has opened, the window may still report that nothing runs.
  const sinceStart = async (): Promise<string[]> => {
    const all = await told();
    const first = all.findIndex((one) => one !== 'bar -1');
    return first === -1 ? [] : all.slice(first, first + 2);
  };
  await expect.poll(sinceStart).toEqual(begun);
  await expect.poll(told).toContain('sleep again true');
  expect((await told()).filter((one) => one.startsWith('bar')).at(-1)).toBe('bar -1');
});

test('[DK-10] the menus follow the platform; opened notebooks are listed as recent and can be reopened', async ({
  person,
  start,
}) => {
  const dir = await person.notebook('salt & pepper');
  const { app, page } = await start();
  const icon = await app.evaluate(({ app: it, nativeImage }) =>
    nativeImage.createFromPath(`${it.getAppPath()}/icon.png`).getSize(),
  );
  expect(icon).toEqual({ width: 256, height: 256 });
  const bar = await app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => ({
      label,
      roles: (submenu?.items ?? []).flatMap(({ role }) => (role ? [role.toLowerCase()] : [])),
    })),
  );
  expect(bar.map(({ label }) => label)).toEqual(['File', 'Edit', 'Run', 'View', 'Window', 'Help']);
  // Linux has no application menu, so the other menus have Quit and About.
  expect(bar.flatMap(({ roles }) => roles)).toEqual(
    expect.arrayContaining(['close', 'quit', 'copy', 'paste', 'togglefullscreen', 'minimize', 'about']),
  );
  // A release has no developer tools.
  expect(bar.flatMap(({ roles }) => roles)).not.toContain('toggledevtools');

  await app.evaluate(({ app: it }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    it.addRecentDocument = (path) => void told.push(path);
  });
  await choose(app, dir);
  await menu(app, 'openNotebook');
  await expect(statusOf(page, 'answer')).toBeVisible();
  const recents = () =>
    app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.getMenuItemById('recents')?.submenu?.items ?? []).map(
        ({ label, sublabel }) => [label, sublabel],
      ),
    );
  await expect.poll(async () => (await recents())[0]).toEqual(['Test notebook', dir]);
  // Recent documents are shown by the dock and the jump list.
  expect(await app.evaluate(() => (globalThis as unknown as { told: string[] }).told)).toEqual([dir]);
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await app.evaluate(({ Menu }) => {
    const [first] = Menu.getApplicationMenu()?.getMenuItemById('recents')?.submenu?.items ?? [];
    if (!first) throw new Error('nothing recent');
    first.click();
  });
  await expect
    .poll(() => app.windows().map((each) => decodeURIComponent(each.url()).split('path=')[1]))
    .toContain(dir);
  await app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('recents')?.submenu?.items.at(-1)?.click();
  });
  expect(await recents()).toEqual([['No notebooks yet', '']]);
});

test('[DK-22] the end of a run is notified only if the window is not visible and the run took over ten seconds', async ({
  start,
}) => {
  const { app, page } = await start();
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told, inFront: false });
    Notification.isSupported = () => true;
    // Each notification has its own `show`; it is intercepted as soon as a click listener is added.
    Notification.prototype.on = function on(this: Electron.Notification) {
      this.show = () => void told.push(`${this.title}: ${this.body}`);
      return this;
    };
    for (const window of BrowserWindow.getAllWindows()) {
      window.isFocused = () => (globalThis as unknown as { inFront: boolean }).inFront;
    }
  });
  /** Makes the page report the start and the end of a run of this many seconds. */
  const run = async (seconds: number, { inFront = false, failed = false } = {}): Promise<void> => {
    await app.evaluate((_electron, front) => Object.assign(globalThis, { inFront: front }), inFront);
    await page.evaluate(
      ([took, broke]) => {
        const { cellarShell } = window as unknown as { cellarShell: { setRunState(state: object): void } };
        cellarShell.setRunState({ running: 1, title: 'Trips', seconds: null, failed: false });
        cellarShell.setRunState({ running: 0, title: 'Trips', seconds: took, failed: broke });
      },
      [seconds, failed] as const,
    );
  };
  await run(10);
  await run(600, { inFront: true });
  await run(11);
  await run(3_900, { failed: true });
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { told: string[] }).told))
    .toEqual(['Trips: Done after 11 s.', 'Trips: A cell failed after 1 h 5 min.']);
});
