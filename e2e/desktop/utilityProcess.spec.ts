/**
 * Tests how the desktop app runs its server in Electron's utility process, with a small substitute for the server:
 * messages, crash, restart, helper processes, and an Electron that is too old.
 */

import { copyFile, cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP, choose, expect, isAlive, menu, type Person, test } from './desktopApp.ts';

const STAND_IN = join(dirname(fileURLToPath(import.meta.url)), 'standInServer.cjs');

/** Copies the packaged app with a small server in place of the real one. @returns the path of the program */
async function withStandIn(person: Person): Promise<string> {
  const folder = join(person.home, 'app');
  await mkdir(folder);
  await cp(dirname(APP), folder, {
    recursive: true,
    mode: 2, // copy on write if the file system supports it
    filter: (source) => !/[\\/]resources[\\/](server|uv)([\\/]|$)/.test(source),
  });
  await mkdir(join(folder, 'resources/server'));
  await copyFile(STAND_IN, join(folder, 'resources/server/serverEntry.cjs'));
  return join(folder, 'cellar');
}

interface Report {
  readonly pid: number;
  readonly told: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

test('[DK-7] [DK-4] the utility process shakes hands, gets grants, restarts at its port after a crash, and stops', async ({
  person,
  start,
}) => {
  const executable = await withStandIn(person);
  // Without a Node, the server runs in Electron's utility process.
  const { app, page, quit } = await start({ executable, env: { CELLAR_SERVER_NODE: '' } });
  await expect(page.locator('main')).toHaveText('stand-in');
  const report = (): Promise<Report> => page.evaluate(async () => (await fetch('/told')).json());
  const first = await report();
  expect(first.told[0]).toMatchObject({
    type: 'start',
    roots: [],
    port: 0,
    resources: join(executable, '../resources'),
  });

  const folder = await person.notebook('granted');
  await choose(app, folder);
  await menu(app, 'openNotebook');
  await expect
    .poll(async () => (await report()).told.some(({ type, root }) => type === 'grant' && root === folder))
    .toBe(true);

  const { origin } = new URL(page.url());
  await page.evaluate(() => fetch('/crash').catch(() => {}));
  await expect
    .poll(
      () =>
        report().then(
          ({ pid }) => pid,
          () => first.pid,
        ),
      { timeout: 60_000 },
    )
    .not.toBe(first.pid);
  const second = await report();
  expect(second.told[0]).toMatchObject({
    type: 'start',
    roots: [folder],
    port: Number(new URL(origin).port),
  });
  expect(new URL(page.url()).origin).toBe(origin);
  expect(isAlive(first.pid)).toBe(false);

  await quit();
  expect(isAlive(second.pid)).toBe(false);
  await rm(dirname(executable), { recursive: true, force: true });
});

test('[SQ-40] a helper process can be ended during its work, and ends with its server', async ({
  person,
  start,
}) => {
  const executable = await withStandIn(person);
  const { page, quit } = await start({ executable, env: { CELLAR_SERVER_NODE: '' } });
  await expect(page.locator('main')).toHaveText('stand-in');
  const fetchJson = (
    path: string,
  ): Promise<{ readonly type: string; readonly message?: { readonly pid: number } }> =>
    page.evaluate(async (to) => (await fetch(to)).json(), path);
  const startHelper = async (id: number): Promise<number> => {
    const { type, message } = await fetchJson(`/helper-start/${id}`);
    expect(type).toBe('helper_said');
    return message?.pid ?? 0;
  };
  const first = await startHelper(1);
  expect(isAlive(first)).toBe(true);
  expect(await fetchJson('/helper-end/1')).toEqual({ type: 'helper_gone', id: 1 });
  expect(isAlive(first)).toBe(false);

  const second = await startHelper(2);
  await page.evaluate(() => fetch('/crash').catch(() => {}));
  await expect.poll(() => isAlive(second), { timeout: 60_000 }).toBe(false);
  await quit();
  await rm(dirname(executable), { recursive: true, force: true });
});

test('[DK-7] with an Electron too old for the server, the app shows a message and can be quit', async ({
  person,
}) => {
  const { _electron } = await import('@playwright/test');
  const { environment } = await import('./desktopApp.ts');
  test.skip(process.env['CELLAR_TEST_APP'] !== undefined, 'this Electron may be new enough');
  const app = await _electron.launch({
    executablePath: APP,
    args: ['--no-sandbox', `--user-data-dir=${person.userData}`],
    cwd: person.home,
    env: { ...environment(person), CELLAR_SERVER_NODE: '' },
  });
  await app.evaluate(({ dialog }) => {
    const asked: unknown[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push(args.at(-1));
      return new Promise(() => {});
    };
  });
  const asked = () =>
    app.evaluate(
      () =>
        (globalThis as unknown as { asked: { message: string; detail: string; buttons: string[] }[] }).asked,
    );
  await expect.poll(asked, { timeout: 60_000 }).toHaveLength(1);
  const [question] = await asked();
  expect(question?.detail).toContain('The notebook server needs Node-API 10');
  expect(question?.buttons).toEqual(['Try again', 'Quit']);
  const exited = new Promise((resolve) => app.process().once('exit', resolve));
  await app.evaluate(({ app: it }) => it.exit(0)).catch(() => {});
  await exited;
});
