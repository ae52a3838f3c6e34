import { execFileSync } from 'node:child_process';
import type { ElectronApplication } from '@playwright/test';
import { APP, environment, expect, menu, statusOf, test } from './desktopApp.ts';

/** What the app is to the system around it: its events, its links, its dock and its sleep. */

test('[DK-9] [DK-21] the system’s own events open a folder, and a link asks first', async ({
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
  // As macOS asks.
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
  // As Linux and Windows ask: by a second start.
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

/** Notes what the app asks of the dock and of the machine's sleep. */
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

test('[DK-22] [DK-23] a run shows in the dock and keeps the machine awake, until it ends', async ({
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
  await expect.poll(async () => (await told()).slice(0, 2)).toEqual(begun);
  await expect.poll(told).toContain('sleep again true');
  expect((await told()).filter((one) => one.startsWith('bar')).at(-1)).toBe('bar -1');
});

test('[DK-10] the windows carry the program’s icon', async ({ start }) => {
  const { app } = await start();
  const size = await app.evaluate(({ app: it, nativeImage }) =>
    nativeImage.createFromPath(`${it.getAppPath()}/icon.png`).getSize(),
  );
  expect(size).toEqual({ width: 256, height: 256 });
});
