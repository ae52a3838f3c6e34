/** The home page in a browser: dropped files, the report of an import, settings and themes. Against a fake server. */

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { emptyWorld, type FakeWorld, homeAnswers, sessionAt, THREE_EXAMPLES } from '../support/fakeHome.ts';
import { test as base, expect, storeBefore } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { LEFT_OUT } from '../support/longOnly.ts';

interface Recent {
  readonly path: string;
  readonly name: string;
  readonly openedAtMs?: number;
  readonly pinned?: boolean;
}

/** Opens the home page with the notebooks, examples and sessions that a test gives to the fake server. */
const test = base.extend<{
  home: (world?: Partial<FakeWorld>, recents?: readonly Recent[]) => Promise<Fake>;
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
type Serve = Parameters<Parameters<typeof base>[2]>[0]['serve'];
type Fake = { readonly fake: Awaited<ReturnType<Serve>>['fake']; readonly world: FakeWorld };

const row = (page: Page, path: string) => page.locator(`[data-path=${JSON.stringify(path)}]`);

test('dropped files and folders are recognized', async ({ page, home }) => {
  await home();
  const drop = async (name: string): Promise<void> => {
    const data = await page.evaluateHandle((fileName) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['{}'], fileName));
      return transfer;
    }, name);
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
    await expect(page.getByText('Drop a notebook folder to open it')).toBeVisible();
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  };
  await drop('photo.png');
  await expect(
    page.getByText('Can’t open “photo.png”. Drop a notebook folder, a Jupyter notebook').first(),
  ).toBeVisible();
  await drop('bike-trips');
  const ask = page.getByRole('dialog', { name: 'Open a notebook' });
  await expect(ask).toContainText('The browser does not show where “bike-trips” is');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('dialog', { name: 'Import' })).toContainText('Creates a new notebook from');
  await expectAccessible(page);
});

test('an import report lists the changes of each cell by its position, and links to the cell', async ({
  page,
  home,
}) => {
  const { fake } = await home();
  const ids = ['5f0e1d2c', '74e5fed6'];
  fake.body = fakeBody({
    name: 'Study',
    cells: ids.map((id) => fakeCell({ id, source: `${'# long\n'.repeat(60)}x = 1` })),
  });
  const findings = [
    { cell_id: ids[1] ?? '', kind: 'dropped_shells', text: '!ls *.csv' },
    { cell_id: ids[0] ?? '', kind: 'translated_magics', text: '%matplotlib inline: removed' },
  ];
  fake.answers = {
    ...fake.answers,
    importNotebook: {
      ...fake.state(),
      import_report: {
        markdown_cells: 0,
        code_cells: 2,
        suppressed_outputs: 0,
        skipped_cells: [],
        translated_magics: [],
        dropped_magics: [],
        dropped_shells: ['!ls *.csv'],
        captured_deps: [],
        warnings: [],
        findings,
        report_path: null,
        report_text: '# Import of Study',
      },
    },
  };
  await page.getByRole('button', { name: 'Import' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file…' }).click();
  const file = { name: 'Study.ipynb', mimeType: 'application/json', buffer: Buffer.from('{}') };
  await (await chooser).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Study was imported' });
  await expect(dialog).not.toContainText('#');
  await expect(dialog).not.toContainText(ids[1] ?? '');
  const shell = dialog.getByRole('listitem').filter({ hasText: '!ls *.csv' });
  await expectAccessible(page);
  await shell.getByRole('button', { name: 'Cell 2' }).click();
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', ids[1] ?? '');
  await expect(page.locator('.cell.focus')).toBeInViewport();
});

test('settings apply immediately and persist', async ({ page, home }) => {
  await home();
  await page.emulateMedia({ colorScheme: 'light' });
  const root = page.locator('html');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('radio', { name: 'Dark' }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await dialog.getByRole('switch', { name: 'High contrast' }).click();
  await expect(root).toHaveAttribute('data-contrast', 'more');
  await dialog.getByRole('switch', { name: 'Reduce motion' }).click();
  await expect(root).toHaveAttribute('data-motion', 'reduced');
  await dialog.getByRole('combobox', { name: 'Code font size' }).click();
  await page.getByRole('option', { name: '18 px' }).click();
  await expect(dialog.locator('code')).toHaveCSS('font-size', '18px');
  await dialog.getByRole('switch', { name: 'Wide column' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Settings' })).toBeFocused();
  await page.goto(`${new URL(page.url()).origin}/#/settings`);
  await page.reload();
  await expect(root).toHaveAttribute('data-contrast', 'more');
  await expect(dialog.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(dialog.getByRole('switch', { name: 'Wide column' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  await expect(root).toHaveAttribute('data-contrast', 'normal');
});

const LOOKS = {
  dark: { theme: 'dark' },
  'high contrast': { theme: 'light', contrast: 'more' },
  // src-renderer/theme/tokens.test.ts tests the contrast of the tokens in every theme.
  ...(LEFT_OUT === null ? { 'dark, high contrast': { theme: 'dark', contrast: 'more' } } : {}),
};

test('the home page is readable in every theme', async ({ page, home }) => {
  await home(
    { examples: THREE_EXAMPLES, gone: new Set(['/n/gone']), sessions: [sessionAt('/n/open', 'Open')] },
    [
      { path: '/n/a', name: 'A', pinned: true },
      { path: '/n/gone', name: 'Gone' },
    ],
  );
  await page.setViewportSize({ width: 900, height: 700 });
  for (const [name, preferences] of Object.entries(LOOKS)) {
    await test.step(name, async () => {
      await page.evaluate(
        (text) => localStorage.setItem('cellar.preferences', text),
        JSON.stringify(preferences),
      );
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', preferences.theme);
      await expect(page.locator('.home-main')).toHaveAttribute('aria-busy', 'false');
      const coloursOnly = name !== 'dark';
      await expectAccessible(page, { coloursOnly });
      await row(page, '/n/a').hover();
      await row(page, '/n/a').getByRole('button', { name: 'More: A' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expectAccessible(page, { coloursOnly });
      await page.keyboard.press('Escape');
    });
  }
});
