import type { Page } from '@playwright/test';
import { expect, openPage, storeBefore, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { LEFT_OUT, longOnly, longUnless } from '../support/longOnly.ts';

/** The user's choice and the system's preference → the attributes of the page's root. */
const APPEARANCES = [
  { kept: {}, system: { colorScheme: 'light' }, theme: 'light', contrast: 'normal', motion: 'full' },
  { kept: {}, system: { colorScheme: 'dark' }, theme: 'dark', contrast: 'normal', motion: 'full' },
  {
    kept: { theme: 'dark', contrast: 'more', motion: 'reduced' },
    system: { colorScheme: 'light' },
    theme: 'dark',
    contrast: 'more',
    motion: 'reduced',
  },
  {
    kept: { theme: 'light' },
    system: { colorScheme: 'dark', contrast: 'more', reducedMotion: 'reduce' },
    theme: 'light',
    contrast: 'more',
    motion: 'reduced',
  },
] as const;

async function keep(page: Page, url: string, preferences: object): Promise<void> {
  await storeBefore(page, url, { 'cellar.preferences': JSON.stringify(preferences) });
}

function rootOf(page: Page): Promise<Record<string, string | undefined>> {
  return page.evaluate(() => ({ ...document.documentElement.dataset }));
}

test('appearance before the app runs', async ({ page, serve }) => {
  const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
  // In a normal run, without the first: other tests open the page with the defaults.
  for (const { kept, system, ...expected } of APPEARANCES.slice(LEFT_OUT === null ? 0 : 1)) {
    await test.step(JSON.stringify({ kept, system }), async () => {
      await page.emulateMedia({ contrast: 'no-preference', reducedMotion: 'no-preference', ...system });
      await keep(page, url, kept);
      // The app's script is blocked, so the page shows its state before the app runs.
      await page.route('**/assets/*.js', (route) => route.abort());
      await page.goto(url);
      expect(await rootOf(page)).toMatchObject(expected);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground).toBe(
        {
          light: { normal: 'rgb(247, 246, 243)', more: 'rgb(255, 255, 255)' },
          dark: { normal: '', more: 'rgb(0, 0, 0)' },
        }[expected.theme][expected.contrast] || 'rgb(22, 21, 20)',
      );
      await page.unroute('**/assets/*.js');
      await page.reload();
      await expect(page.locator('#root')).not.toBeEmpty();
      expect(await rootOf(page)).toMatchObject(expected);
    });
  }
});

test(
  'the page follows the system while it is open',
  longOnly('src-renderer/theme/systemTheme.test.tsx'),
  async ({ page, serve }) => {
    const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
    await page.emulateMedia({ colorScheme: 'light' });
    await openPage(page, url);
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'more' });
    await expect.poll(() => rootOf(page)).toMatchObject({ theme: 'dark', contrast: 'more' });
  },
);

test(
  'damaged preferences affect only themselves',
  longOnly('src-renderer/theme/preferences.test.ts'),
  async ({ page, serve }) => {
    const { url } = await serve(fakeBody({ name: 'Empty', cells: [] }));
    await page.emulateMedia({ colorScheme: 'dark' });
    await storeBefore(page, url, { 'cellar.preferences': '{"theme":' });
    await openPage(page, url);
    expect(await rootOf(page)).toMatchObject({ theme: 'dark', contrast: 'normal' });
  },
);

/** Colours of tokens.css. */
const HIGH_CONTRAST = {
  light: { ink: 'rgb(0, 0, 0)', number: 'rgb(111, 47, 5)', select: 'rgb(220, 196, 236)' },
  dark: { ink: 'rgb(255, 255, 255)', number: 'rgb(255, 200, 161)', select: 'rgb(85, 57, 122)' },
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `the editor uses the high-contrast colours: ${colorScheme}`,
    longUnless(colorScheme === 'dark', 'e2e/app/theme.spec.ts'),
    async ({ page, serve }) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      const { url } = await serve(
        fakeBody({ name: 'One', cells: [fakeCell({ id: 'a', source: 'x = 0x1f', status: 'ready' })] }),
      );
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      await openPage(page, url);
      await page.locator('[data-cell-id=a] .code').click();
      await expect(page.locator('[data-editor=live] .view-line').first()).toHaveText('x = 0x1f');
      const colours = (selector: string, property: 'color' | 'backgroundColor') =>
        page
          .locator(`[data-editor=live] ${selector}`)
          .evaluateAll((all, name) => [...new Set(all.map((one) => getComputedStyle(one)[name]))], property);
      const { ink, number, select } = HIGH_CONTRAST[colorScheme];
      await expect.poll(() => colours('.view-line span span', 'color')).toEqual([ink, number]);
      await page.keyboard.press('Control+A');
      await expect.poll(() => colours('.view-line span span', 'color')).toEqual([ink]);
      await expect.poll(() => colours('.selected-text', 'backgroundColor')).toEqual([select]);
      expect(errors).toEqual([]);
    },
  );
}

test('with forced colours every status, the panels and the selection can still be distinguished', async ({
  page,
  serve,
}) => {
  const cells = ['a', 'b', 'c'].map((id) => fakeCell({ id, status: id === 'a' ? 'error' : 'idle' }));
  const { url } = await serve(fakeBody({ name: 'Chosen', cells }));
  await page.emulateMedia({ forcedColors: 'active' });
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a] .bar [data-status=error]')).toBeVisible();
  const colourOf = (selector: string): Promise<string> =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);
  const ground = await colourOf('body');
  for (const side of ['left', 'right']) expect(await colourOf(`.separator-${side}`)).not.toBe(ground);

  const outlineOf = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).outlineStyle);
  await page.locator('[data-cell-id=a] .cell-name').click();
  await expect.poll(() => outlineOf('.outline-row.selected')).toBe('solid');
  expect(await outlineOf('.rail-btn[aria-pressed=true]')).toBe('solid');
  await page.keyboard.press('Shift+J');
  const edges = () =>
    page.locator('.cell').evaluateAll((all) => all.map((one) => getComputedStyle(one).borderLeftWidth));
  await expect.poll(edges).toEqual(['4px', '4px', '1px']);
  await page.keyboard.press('Control+Shift+P');
  await expect(page.locator('.pick-row[data-selected=true]')).toBeVisible();
  expect(await outlineOf('.pick-row[data-selected=true]')).toBe('solid');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+F');
  await page.getByRole('button', { name: 'Match case' }).click();
  await expect.poll(() => outlineOf('.find-bar [aria-pressed=true]')).toBe('solid');
});
