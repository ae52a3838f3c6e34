/**
 * The find bar in a browser: sources and console, options, distant cells, and a slow regular expression that is
 * stopped. Against a fake server.
 */

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

const notebook = () =>
  fakeBody({
    name: 'Find',
    cells: [
      fakeCell({ id: 'a', source: 'rain = 1\nRain = 2', status: 'ready' }),
      fakeCell({
        id: 'b',
        source: 'print(1)',
        status: 'ready',
        console_stdout: '\u001b[31mrai\u001b[0mn fell\n',
      }),
      fakeCell({ id: 'c', source: 'x = rain', status: 'ready' }),
    ],
  });

const count = (page: Page) => page.locator('[data-find-count]');
/** The texts that the browser highlights as matches, and the current match. */
const painted = (page: Page) =>
  page.evaluate(() => {
    const texts = (name: string): string[] =>
      [...(CSS.highlights.get(name) ?? [])].map((range) => (range instanceof Range ? range.toString() : ''));
    return { all: texts('find'), present: texts('find-present') };
  });

test('[ED-6] finds in sources and output, forwards and backwards, with its options', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.keyboard.press('Control+F');
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.type('rain');
  await expect(count(page)).toHaveText('1 of 4');
  await expectAccessible(page, { only: '.find-bar' });
  await expect
    .poll(() => painted(page))
    .toEqual({
      all: ['rain', 'Rain', 'rain', 'rain'],
      present: ['rain'],
    });
  await page.keyboard.press('Enter');
  await expect(count(page)).toHaveText('2 of 4');
  await expect.poll(async () => (await painted(page)).present).toEqual(['Rain']);
  await page.keyboard.press('F3');
  await page.keyboard.press('F3');
  await page.keyboard.press('F3');
  await expect(count(page)).toHaveText('1 of 4');
  await page.keyboard.press('Shift+Enter');
  await expect(count(page)).toHaveText('4 of 4');
  await page.getByRole('button', { name: 'Match case' }).click();
  await expect(count(page)).toHaveText(/of 3$/);
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByRole('textbox', { name: 'Find' }).fill('(rain');
  await expect(page.getByRole('alert')).toContainText('Invalid regular expression');
  await page.getByRole('textbox', { name: 'Find' }).fill('^x.*rain$');
  await expect(count(page)).toHaveText('1 of 1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.locator('[data-cell-id=c]')).toBeFocused();
  await expect.poll(() => painted(page)).toEqual({ all: [], present: [] });
});

for (const [keys, field] of [
  ['Control+F', 'Find'],
  ['Control+H', 'Find'],
] as const) {
  test(
    `[ED-6] ${keys} in a cell’s text searches for the selection, takes the focus and returns it`,
    longUnless(keys === 'Control+H', 'e2e/app/find.spec.ts'),
    async ({ page, serve }) => {
      const { fake, url } = await serve(notebook());
      await openPage(page, url);
      const cell = page.locator('[data-cell-id=a]');
      await cell.locator('.code-text').click({ position: { x: 20, y: 8 } });
      await expect(cell.locator('[data-editor=live]')).toBeVisible();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Control+Shift+ArrowRight');
      await page.keyboard.press(keys);
      const query = page.getByRole('textbox', { name: field });
      await expect(query).toBeFocused();
      await expect(query).toHaveValue('rain');
      await expect(count(page)).toHaveText('1 of 4');
      await expect(page.locator('[data-editor]')).toHaveCount(0);
      await expect(page.getByRole('textbox', { name: 'Replace with' })).toHaveCount(
        keys === 'Control+H' ? 1 : 0,
      );
      await page.keyboard.type('snow');
      await expect(query).toHaveValue('snow');
      await page.keyboard.press('Escape');
      await expect(cell).toBeFocused();
      expect(fake.cell('a').source).toBe('rain = 1\nRain = 2');
    },
  );
}

test('[ED-6] finds distant text that is not yet rendered, and scrolls to it', async ({ page, serve }) => {
  const cells = Array.from({ length: 600 }, (_, at) =>
    fakeCell({
      id: `c${at}`,
      source: at === 590 ? 'needle = 1' : `value_${at} = ${at}\n`.repeat(6),
      status: 'ready',
    }),
  );
  const { url } = await serve(fakeBody({ name: 'Long', cells }));
  await openPage(page, url);
  await page.keyboard.press('Control+F');
  await page.keyboard.type('needle');
  await expect(count(page)).toHaveText('1 of 1');
  await expect(page.locator('[data-cell-id=c590]')).toBeInViewport();
  await expect.poll(() => painted(page)).toEqual({ all: ['needle'], present: ['needle'] });
});

test('[ED-6] finds a line deep in a long console and shows it', async ({ page, serve }) => {
  const lines = Array.from({ length: 6_000 }, (_, at) =>
    at === 4_000 ? 'here is the needle' : `line ${at}`,
  );
  const cells = [fakeCell({ id: 'a', source: 'flood()', status: 'ready', console_stdout: lines.join('\n') })];
  const { url } = await serve(fakeBody({ name: 'Flood', cells }));
  await openPage(page, url);
  await page.keyboard.press('Control+F');
  await page.keyboard.type('needle');
  await expect(count(page)).toHaveText('1 of 1');
  await expect(page.getByText('here is the needle')).toBeInViewport();
  await expect.poll(() => painted(page)).toEqual({ all: ['needle'], present: ['needle'] });
});

test('[ED-6] a regular expression that would never finish is stopped with a message, and the window stays usable', async ({
  page,
  serve,
}) => {
  const source = `text = "${'a'.repeat(60)}b"`;
  const { fake, url } = await serve(
    fakeBody({ name: 'Costly', cells: [fakeCell({ id: 'a', source, status: 'ready' })] }),
  );
  await openPage(page, url);
  await page.keyboard.press('Control+H');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  const field = page.getByRole('textbox', { name: 'Find' });
  await field.fill('(a+)+$');
  await expect(count(page)).toHaveText('Searching…');
  await expect(page.getByRole('alert')).toContainText('takes too long');
  await expectAccessible(page, { only: '.find-bar' });
  await field.fill('(a+)b');
  await expect(count(page)).toHaveText('1 of 1');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(async () => (await painted(page)).all).toEqual([`${'a'.repeat(60)}b`]);
  // A pattern that is fast in this text may be slow in the replaced text, and replacing all must still finish.
  await page.getByRole('textbox', { name: 'Replace with' }).fill('<$1>');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(() => fake.body.cells[0]?.source).toBe(`text = "<${'a'.repeat(60)}>"`);
});
