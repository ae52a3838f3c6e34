/**
 * The home page in a jsdom document, against a fake server: its lists, search by keyboard, opening, creating
 * and deleting notebooks.
 */

import {
  emptyWorld,
  type FakeWorld,
  foundAt,
  homeAnswers,
  sessionAt,
  THREE_EXAMPLES,
} from '../../e2e/support/fakeHome.ts';
import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody } from '../../e2e/support/fakeServerNotebook.ts';
import { test as base, expect, type Serve, storeBefore } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';
const EMOJI_PATH = '/home/me/work/quarter report (final) 🚲';

interface Kept {
  readonly path: string;
  readonly name: string;
  readonly openedAtMs?: number;
  readonly pinned?: boolean;
}

/** The home page of a server, with the notebooks that the test chooses. */
const test = base.extend<{
  home: (world?: Partial<FakeWorld>, recents?: readonly Kept[]) => Promise<Fake>;
}>({
  home: async ({ page, serve }, use) => {
    await use(async (world = {}, recents = []) => {
      const { fake, url } = await serve(fakeBody({ name: 'Bike trips', cells: [] }));
      const all = { ...emptyWorld(), ...world };
      fake.answers = homeAnswers(all);
      const stored = recents.map((one, at) => ({ openedAtMs: 1_000_000 - at, ...one }));
      await storeBefore(page, url, { 'cellar.recents': JSON.stringify(stored) });
      await page.goto(new URL(url).origin);
      await expect(page.locator('.home-main')).toHaveAttribute('aria-busy', 'false');
      return { fake, world: all };
    });
  },
});
type Fake = { readonly fake: Awaited<ReturnType<Serve>>['fake']; readonly world: FakeWorld };

const row = (page: Page, path: string) => page.locator(`[data-path=${JSON.stringify(path)}]`);
const names = (page: Page) => page.locator('.place-name');
const askedFor = (fake: Fake['fake'], name: string): unknown[] =>
  fake.requests.filter((one) => one.name === name).map((one) => one.body);

test('the first start shows how to begin, and an example opens', async ({ page, home }) => {
  await home({ examples: THREE_EXAMPLES });
  await expect(page.getByText('No notebooks yet')).toBeVisible();
  await page.getByRole('button', { name: /^Penguins/ }).click();
  await expect.poll(() => page.url()).toMatch(/#\/notebook\/s1\?path=/);
});

test('a few examples are shown below the own notebooks, the others on request', async ({ page, home }) => {
  const examples = [1, 2, 3, 4, 5].map((at) => ({
    name: `example-${at}`,
    path: `/examples/${at}`,
    title: `Example ${at}`,
    about: 'What it shows.',
    cells: at,
  }));
  await home({ examples, found: [foundAt('/n/mine', 'Mine')] });
  const titles = page.locator('.example-title');
  await expect(titles).toHaveText(['Example 1', 'Example 2', 'Example 3']);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toHaveText('Examples');
  const more = page.getByRole('button', { name: 'Show all 5 examples' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(titles).toHaveCount(5);
  await page.getByRole('button', { name: 'Show fewer' }).click();
  await expect(titles).toHaveCount(3);
});

test('lists open, recent and discovered notebooks, each once, pinned first', async ({ page, home }) => {
  const { fake } = await home(
    {
      sessions: [sessionAt('/n/open', 'Open one')],
      found: [foundAt('/n/open', 'Open one'), foundAt('/n/a', 'A'), foundAt('/n/other', null)],
      examples: THREE_EXAMPLES,
      gone: new Set(['/usb/gone']),
    },
    [
      { path: '/n/a', name: 'A' },
      { path: '/usb/gone', name: 'Gone' },
      { path: '/n/pinned', name: 'Pinned', pinned: true },
      { path: EMOJI_PATH, name: HOSTILE },
    ],
  );
  await expect(names(page)).toHaveText(['Open one', 'Pinned', 'A', 'Gone', HOSTILE, 'other']);
  await expect(row(page, '/usb/gone').getByRole('link')).toHaveAttribute('aria-disabled', 'true');
  await expect(row(page, '/usb/gone')).toContainText('missing');
  await expect(row(page, EMOJI_PATH)).toContainText(EMOJI_PATH);
  expect(await page.title()).toBe('Cellar');
  await expect
    .poll(() => askedFor(fake, 'validateRecents'))
    .toEqual([{ paths: ['/n/pinned', '/n/a', '/usb/gone', EMOJI_PATH] }]);
  await row(page, EMOJI_PATH).getByRole('link').click();
  await expect.poll(() => askedFor(fake, 'openNotebook')).toEqual([{ path: EMOJI_PATH }]);
});

test('a notebook that is removed while the page is open is shown as missing', async ({ page, home }) => {
  const { world } = await home({}, [{ path: '/n/a', name: 'A' }]);
  await expect(row(page, '/n/a')).not.toContainText('missing');
  world.gone.add('/n/a');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(row(page, '/n/a')).toContainText('missing');
  await row(page, '/n/a').getByRole('button', { name: 'Remove from list' }).click();
  await expect(page.getByText('No notebooks yet')).toBeVisible();
});

test('recent notebooks are pinned, removed and cleared, each with undo', async ({ page, home }) => {
  await home({}, [
    { path: '/n/a', name: 'A' },
    { path: '/n/b', name: 'B' },
    { path: '/n/c', name: 'C' },
  ]);
  await row(page, '/n/c').hover();
  await row(page, '/n/c').getByRole('button', { name: 'Pin to top' }).click();
  await expect(names(page)).toHaveText(['C', 'A', 'B']);
  await row(page, '/n/a').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await expect(names(page)).toHaveText(['C', 'B']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(names(page)).toHaveText(['C', 'A', 'B']);
  await page.getByRole('button', { name: 'Clear list' }).click();
  await expect(names(page)).toHaveText(['C']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(names(page)).toHaveText(['C', 'A', 'B']);
  await page.reload();
  await expect(names(page)).toHaveText(['C', 'A', 'B']);
});

test('[WI-89] keyboard focus stays in the lists after removing or closing a notebook', async ({
  page,
  home,
}) => {
  const recents = ['a', 'b', 'c', 'd'].map((name) => ({ path: `/n/${name}`, name }));
  await home({ sessions: [sessionAt('/n/open', 'Open one')] }, recents);
  const link = (path: string) => row(page, path).getByRole('link');
  await link('/n/b').focus();
  await page.keyboard.press('Delete');
  await expect(link('/n/c')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(link('/n/d')).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Remove from list' }).press('Enter');
  await expect(link('/n/c')).toBeFocused();
  await row(page, '/n/open').getByRole('button').last().press('Enter');
  await page.getByRole('menuitem', { name: 'Close notebook' }).press('Enter');
  await expect(row(page, '/n/open')).toHaveCount(0);
  await expect(link('/n/a')).toBeFocused();
  await page.getByRole('button', { name: 'Clear list' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Open folder' })).toBeFocused();
});

test('a notebook is found and opened by keyboard alone', async ({ page, home }) => {
  const { fake } = await home({ found: [foundAt('/n/census', 'Census')] }, [
    { path: '/n/a', name: 'Bike' },
    { path: '/n/b', name: 'Books' },
  ]);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('b');
  await expect(names(page)).toHaveText(['Bike', 'Books']);
  await expect(page.getByRole('status').filter({ hasText: '2 notebooks' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(row(page, '/n/b').getByRole('link')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(names(page)).toHaveText(['Bike', 'Books', 'Census']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(row(page, '/n/census').getByRole('link')).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('zebra');
  await expect(page.getByText('No results for “zebra”')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('books');
  await expect(names(page)).toHaveText(['Books']);
  await page.keyboard.press('Enter');
  await expect.poll(() => askedFor(fake, 'openNotebook')).toEqual([{ path: '/n/b' }]);
});

test('five hundred recents: few are drawn, all are checked and searched', async ({ page, home }) => {
  const many = Array.from({ length: 500 }, (_, at) => ({ path: `/n/${at}`, name: `Notebook ${at}` }));
  const { fake } = await home({ gone: new Set(['/n/499']) }, many);
  await expect(names(page)).toHaveCount(8);
  const requests = askedFor(fake, 'validateRecents') as { paths: string[] }[];
  await expect.poll(() => requests.map((one) => one.paths.length)).toEqual([100, 100, 100, 100, 100]);
  await page.getByRole('searchbox').fill('499');
  await expect(row(page, '/n/499')).toContainText('missing');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Show all 500' }).click();
  await expect(names(page)).toHaveCount(500);
});

/** Answers of the server to a folder that it does not open. */
const REFUSALS: readonly [what: string, status: number, detail: unknown][] = [
  ['no notebook', 404, 'No notebook.toml in /home/me/photos'],
  ['not allowed', 403, 'Permission denied: /home/me/photos'],
  ['outside', 400, 'Path is outside the storage folder'],
  ['held', 409, { message: 'The notebook is held by a backup', code: 'NOTEBOOK_QUIESCED' }],
];
test('a folder that cannot be opened shows the reason, and opens once it can be', async ({ page, home }) => {
  const { fake } = await home();
  const { openNotebook: _opened, ...others } = fake.answers;
  const field = page.getByRole('textbox', { name: 'Notebook folder' });
  for (const [_what, status, detail] of REFUSALS) {
    {
      fake.answers = { ...others, openNotebook: refusal(status, detail) };
      await page.getByRole('button', { name: 'Open folder' }).click();
      await expect(field).toBeFocused();
      await field.fill('/home/me/photos');
      await page.keyboard.press('Enter');
      const message = typeof detail === 'string' ? detail : 'The notebook is held by a backup';
      await expect(page.getByRole('alert')).toHaveText(message);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      fake.answers = others;
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toMatch(/#\/notebook\/s1/);
      await page.goto(`${new URL(page.url()).origin}/#/`);
      await expect(page.locator('.home-main')).toHaveAttribute('aria-busy', 'false');
    }
  }
});

test('creates a new notebook in the chosen folder with the chosen options', async ({ page, home }) => {
  const { fake } = await home();
  fake.answers = { ...fake.answers, createNotebook: refusal(409, 'A notebook already exists there') };
  await page.getByRole('button', { name: 'New notebook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New notebook' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('a/b');
  await expect(dialog.getByText('Names can’t contain / or \\')).toBeVisible();
  await expect.poll(() => askedFor(fake, 'createNotebook')).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('  Bike 🚲 ');
  await expect(dialog.getByText('Creates /home/me/notebooks/Bike 🚲')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Python' }).click();
  await page.getByRole('option', { name: '3.12' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('A notebook already exists there');
  await expect
    .poll(() => askedFor(fake, 'createNotebook'))
    .toEqual([
      { parent_path: '/home/me/notebooks', name: 'Bike 🚲', starter_cell: true, python_version: '3.12' },
    ]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'New notebook' })).toBeFocused();
});

test('deletes a notebook only after its name is typed', async ({ page, home }) => {
  const { fake, world } = await home({ sessions: [sessionAt('/n/open', 'Open one')] }, [
    { path: '/n/b', name: 'B & <b>' },
  ]);
  await row(page, '/n/open').hover();
  await row(page, '/n/open').getByRole('button', { name: 'More: Open one' }).click();
  await page.getByRole('menuitem', { name: 'Delete notebook' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Open one?' });
  await expect(dialog).toContainText('/n/open');
  await expect(dialog).toContainText('The notebook is open.');
  const go = dialog.getByRole('button', { name: 'Delete permanently' });
  await expect(go).toBeDisabled();
  await dialog.getByRole('textbox').fill('Open on');
  await page.keyboard.press('Enter');
  await expect.poll(() => askedFor(fake, 'deleteNotebook')).toEqual([]);
  fake.answers = { ...fake.answers, deleteNotebook: refusal(409, 'A cell is running') };
  await dialog.getByRole('textbox').fill('Open one');
  await go.click();
  await expect(dialog.getByRole('alert')).toHaveText('A cell is running');
  fake.answers = homeAnswers(world);
  await go.click();
  await expect(page.getByText('Open one was deleted').first()).toBeVisible();
  // By right click; it is not open, so it is deleted by its path.
  await row(page, '/n/b').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete notebook' }).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill('B & <b>');
  await page.keyboard.press('Enter');
  await expect.poll(() => askedFor(fake, 'deleteNotebookByPath')).toEqual([{ path: '/n/b' }]);
  await expect(row(page, '/n/b')).toHaveCount(0);
});

test('an open notebook is closed from its menu', async ({ page, home }) => {
  await home({ sessions: [sessionAt('/n/open', 'Open one')] });
  await row(page, '/n/open').getByRole('link').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Close notebook' }).press('Enter');
  await expect(row(page, '/n/open')).toHaveCount(0);
});

test('without a server the page reports it, keeps its lists and reconnects', async ({ page, home }) => {
  const { fake } = await home({}, [{ path: '/n/a', name: 'A' }]);
  fake.isDown = true;
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('alert')).toContainText('The server is not responding');
  await expect(names(page)).toHaveText(['A']);
  fake.isDown = false;
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a list that the server refuses does not affect the others', async ({ page, home }) => {
  const { fake } = await home({ found: [foundAt('/n/a', 'A')] });
  fake.answers = {
    ...fake.answers,
    listSessions: refusal(403, 'personal mode only'),
    discoverNotebooks: refusal(500, 'Internal server error'),
  };
  await page.reload();
  await expect(
    page.getByText('Couldn’t load the list “On this computer”: Internal server error'),
  ).toBeVisible();
  await expect(page.locator('.notice')).toHaveCount(1);
});
