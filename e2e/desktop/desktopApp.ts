/** Starts the packaged desktop app for tests, with a home folder, notebooks and settings of its own. */

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';
import { folderIdentity } from '../../src-main/lib/folderIdentity.ts';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

/** The packaged app; `CELLAR_TEST_APP` names another build, for example with another Electron. */
export const APP = process.env['CELLAR_TEST_APP'] ?? join(PROJECT_ROOT, 'dist/desktop/linux-unpacked/cellar');

/** The machine of one user: a home folder with the app's data, and notebooks inside and outside the storage root. */
export interface Person {
  readonly home: string;
  readonly userData: string;
  readonly storage: string;
  /** Writes a notebook of the user, or one from elsewhere that the user has not trusted yet. */
  notebook(name: string, cells?: readonly CellText[], whose?: 'own' | 'foreign'): Promise<string>;
  log(): string;
}

export interface Started {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Milliseconds from the start of the process until the page could be used. */
  readonly usableMs: number;
  quit(): Promise<void>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly executable?: string;
}

export interface DesktopFixtures {
  person: Person;
  start: (options?: StartOptions) => Promise<Started>;
}

const CELL: CellText = { id: 'answer', source: 'print("it is", 6 * 7)' };

export const test = base.extend<DesktopFixtures>({
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  person: async ({}, use) => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'cellar-desktop-')));
    const person = await personAt(home);
    await use(person);
    // A fault of the shell is only logged, so the test checks the log.
    expect(person.log()).not.toContain('fault:');
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  start: async ({ person }, use) => {
    const running: Started[] = [];
    await use(async (options = {}) => {
      const one = await startApp(person, options);
      running.push(one);
      return one;
    });
    for (const one of running.reverse()) await one.quit();
  },
});

/** Makes `home` the home folder of a user who has not started the app yet. */
export async function personAt(home: string): Promise<Person> {
  const storage = join(home, 'notebooks');
  await mkdir(storage);
  const logFile = join(home, 'data/logs/cellar.log');
  return {
    home,
    userData: join(home, 'data'),
    storage,
    async notebook(name, cells = [CELL], whose = 'own') {
      const dir = await writeNotebook(join(home, 'elsewhere', name), { cells });
      if (whose === 'own') await trusted(join(home, 'data'), dir);
      return dir;
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
  };
}

/** Records before the app starts that the user trusts a folder, as if they had confirmed it in an earlier start. */
async function trusted(userData: string, dir: string): Promise<void> {
  const path = join(userData, 'shell.json');
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  await mkdir(userData, { recursive: true });
  const one = { path: dir, identity: folderIdentity(dir) };
  await writeFile(path, JSON.stringify({ ...stored, trusted: [...(stored.trusted ?? []), one] }));
}

/** Shares the machine's uv cache, because uv's default cache is in the home folder, which is new in every test. */
export function sharedPackages(): Record<string, string> {
  return { UV_CACHE_DIR: process.env['UV_CACHE_DIR'] ?? join(homedir(), '.cache/uv') };
}

/** Starts the packaged app for this user and waits until its page can be used. */
export async function startApp(person: Person, options: StartOptions): Promise<Started> {
  const startedAt = performance.now();
  const app = await _electron.launch({
    executablePath: options.executable ?? APP,
    args: [
      // The tests may run as root, where Chromium's sandbox does not work; `sandbox.spec.ts` uses the sandbox.
      '--no-sandbox',
      `--user-data-dir=${person.userData}`,
      ...(options.args ?? []),
    ],
    cwd: person.home,
    env: { ...environment(person), ...options.env },
  });
  const page = await app.firstWindow();
  await page.locator('main').first().waitFor();
  const usableMs = performance.now() - startedAt;
  const { pid } = app.process();
  let ended = false;
  app.process().once('exit', () => {
    ended = true;
  });
  return {
    app,
    page,
    usableMs,
    async quit() {
      if (ended) return;
      const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      });
      await app.close();
      await exited;
      if (pid !== undefined) expect(isAlive(pid)).toBe(false);
    },
  };
}

/** The environment of the app: the user's home folder, and the Node of the tests for the server. */
export function environment(person: Person): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: person.home,
    XDG_CONFIG_HOME: join(person.home, '.config'),
    SVC_NOTEBOOK_STORAGE_DIR: person.storage,
    CELLAR_SERVER_NODE: process.execPath,
    // Containers have no bus, and without this setting every start would wait for it.
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  };
}

/** Answers the following system dialogs for a folder with this folder; null cancels them. */
export async function choose(app: ElectronApplication, folder: string | null): Promise<void> {
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () =>
      Promise.resolve({ canceled: path === null, filePaths: path === null ? [] : [path] });
  }, folder);
}

/** Clicks a menu entry by its id, like a user. */
export async function menu(app: ElectronApplication, id: string): Promise<void> {
  await app.evaluate(({ Menu, BrowserWindow }, entry) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(entry);
    if (!item) throw new Error(`no menu entry ${entry}`);
    const [window] = BrowserWindow.getAllWindows();
    item.click(undefined, window, undefined);
  }, id);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** The address, process and token of the app's server, from its address file. */
export function serverOf(person: Person): {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
} {
  return JSON.parse(readFileSync(join(person.home, '.svc/run/server.json'), 'utf8'));
}

export const statusOf = (page: Page, id: string) =>
  page.locator(`[data-cell-id=${id}] [data-status]`).first();
export { expect };
