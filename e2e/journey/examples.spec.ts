import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { copyExample } from '../support/copyExample.ts';
import { type EveryLanguage, SAID, startEveryLanguage, whatIsMissing } from '../support/everyLanguage.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png`, fullPage: true });
  }
}

async function runAll(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Run (all|stale)/ })
    .first()
    .click();
}

const results = (page: Page, id: string) => page.locator(`[data-results=${id}]`);
/** The text of each cell's bar, which shows when and how often it ran; it stays the same if the cell does not run. */
const ranAs = (page: Page, ids: readonly string[]) =>
  Promise.all(ids.map((id) => page.locator(`[data-cell-id=${id}] .bar`).textContent()));

test.describe('the example of every language', () => {
  const missing = whatIsMissing();
  test.skip(missing !== null, missing ?? '');
  let around: EveryLanguage;
  test.beforeAll(async () => {
    around = await startEveryLanguage();
  });
  test.afterAll(() => around.close());

  test(
    '[LA-1] [LA-2] runs all languages with one click, and its slider runs only the cells that read it',
    longOnly('e2e/contract/everyLanguage.test.ts'),
    async ({ page, serveReal }) => {
      test.slow();
      const { url } = await serveReal([], {
        server: { env: around.env },
        folder: (root) => around.copy(root),
      });
      await openLive(page, url);
      await runAll(page);
      await expect(statusOf(page, 'told')).toHaveAttribute('data-status', 'ready');
      await expect(results(page, 'told')).toContainText(SAID);
      await expect(results(page, 'guess')).toContainText('A Adelie with a flipper of 200 mm');
      await expect(results(page, 'picture').locator('img')).toBeVisible();
      await expect(results(page, 'away')).toContainText('Torgersen');
      await expect(results(page, 'islands')).toContainText('3 rows × 3 cols');
      const others = ['birds', 'days', 'islands', 'model', 'picture', 'away', 'facts', 'summary', 'told'];
      const before = await ranAs(page, others);
      const slider = page.getByRole('slider', { name: 'Flipper in mm' });
      await slider.focus();
      const field = await page.getByRole('textbox', { name: 'Flipper in mm' }).boundingBox();
      const card = await page.locator('[data-cell-id=controls] .widget-body').boundingBox();
      expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
      await page.keyboard.press('ArrowRight');
      await expect(results(page, 'guess')).toContainText('a flipper of 201 mm');
      expect(await ranAs(page, others)).toEqual(before);
      await page.getByRole('combobox', { name: 'Species' }).click();
      await page.getByRole('option', { name: 'Gentoo' }).click();
      await expect(results(page, 'guess')).toContainText('A Gentoo with a flipper of 201 mm');
      expect(around.ai.asked).toHaveLength(1);
      await expectAccessible(page);
      await shoot(page, 'every-language');
      // Nothing is stale, and a forced run of all uses the stored results.
      await expect(page.getByTitle('Every cell is up to date')).toBeDisabled();
      await page.getByRole('button', { name: 'More ways to run' }).click();
      await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
      for (const id of [...others, 'guess'])
        await expect(page.locator(`[data-cell-id=${id}] .bar`)).toContainText('cached');
      expect(around.ai.asked).toHaveLength(1);
    },
  );
});

test(
  '[LA-3] without PostgreSQL and a model, its cells for those say what to do, and the others work',
  longOnly('e2e/contract/everyLanguage.test.ts'),
  async ({ page, serveReal }) => {
    test.slow();
    const { url } = await serveReal([], { folder: (root) => copyExample('every-language', root) });
    await openLive(page, url);
    await runAll(page);
    await expect(results(page, 'summary')).toContainText('No AI provider is configured. Add', {
      timeout: 60_000,
    });
    await expect(results(page, 'charted')).toContainText('needs CELLAR_EXAMPLE_PASSWORD');
    await expect(statusOf(page, 'guess')).toHaveAttribute('data-status', 'ready');
    await expect(results(page, 'guess')).toContainText('A Adelie with a flipper of 200 mm');
    await shoot(page, 'every-language-bare');
  },
);

test(
  '[WG-10] a moved slider of the example redraws the chart but not the heading',
  longOnly('e2e/app/widgets.spec.ts', 'e2e/contract/widgets.test.ts'),
  async ({ page, serveReal }) => {
    test.slow();
    const { url } = await serveReal([], { folder: (root) => copyExample('slider-and-chart', root) });
    await openLive(page, url);
    await expect(page.getByRole('img', { name: /^Diagram: flowchart LR controls/ })).toBeVisible();
    await runAll(page);
    await expect(statusOf(page, 'numbers')).toHaveAttribute('data-status', 'ready');
    const picture = results(page, 'chart').locator('img');
    await expect(picture).toBeVisible();
    const drawn = await picture.getAttribute('src');
    const heading = await ranAs(page, ['heading']);
    await page.getByRole('slider', { name: 'Cycles' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(picture).not.toHaveAttribute('src', drawn ?? '');
    await expect(page.locator('[data-cell-id=wave]')).toContainText('4 cycles, damping 0.35');
    expect(await ranAs(page, ['heading'])).toEqual(heading);
    await page.getByRole('textbox', { name: 'Title' }).fill('Another title');
    await expect(results(page, 'heading')).toContainText('Another title');
    await page.goto(url.replace('#/notebook/', '#/app/'));
    await expect(page.getByRole('slider', { name: 'Cycles' })).toHaveValue('4');
    await expect(page.getByRole('heading', { name: 'Another title' })).toBeVisible();
    await page.getByRole('slider', { name: 'Cycles' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.locator('[data-app-cell] img[src^="data:image/png"]')).toHaveAttribute(
      'src',
      drawn ?? '',
    );
    await expectAccessible(page);
  },
);

/** Examples of loops, variants, shared code, mounts and tests, with their cells that write a mount and always run. */
const ENGINE: readonly (readonly [name: string, writes: readonly string[]])[] = [
  ['shortest-tour', []],
  ['forecasts', []],
  ['shared-code', []],
  ['kept-in-step', ['report']],
  ['tested-cells', []],
];
for (const [name, writes] of ENGINE) {
  test(
    `[CL-1] every cell of the example ${name} runs, and is a cache hit in the second run`,
    longOnly('e2e/journey/journey.spec.ts', 'e2e/contract/cellTests.test.ts'),
    async ({ page, serveReal }) => {
      test.slow();
      const { url } = await serveReal([], { folder: (root) => copyExample(name, root) });
      await openLive(page, url);
      const upToDate = page.getByTitle('Every cell is up to date');
      const cells = page.locator('.cells [data-cell-id]:not(.cell-text)');
      await runAll(page);
      await expect(upToDate).toBeDisabled();
      for (const cell of await cells.all()) await expect(cell.locator('.bar')).not.toContainText('cached');
      await page.getByRole('button', { name: 'More ways to run' }).click();
      await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
      for (const cell of await cells.all()) {
        const always = writes.includes((await cell.getAttribute('data-cell-id')) ?? '');
        await expect(cell.locator('.bar')).toContainText(always ? 'ms' : 'cached');
      }
      await expectAccessible(page);
    },
  );
}
