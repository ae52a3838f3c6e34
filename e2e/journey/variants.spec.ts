/** Variants of a cell in a browser, against a real server: choosing, running all, adding, renaming, moving and undo. */

import type { Page } from '@playwright/test';
import type { Cell, VariantGroup } from '../../src-shared/wire/cell.ts';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { pressSequence } from '../support/keys.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';

const CELLS = [
  { id: 'base', source: 'base = 10' },
  { id: 'lo', source: '# @variant level low\nscore = base + 1' },
  { id: 'hi', source: '# @variant level high\nscore = base + 2' },
  { id: 'each', source: '# @per_variant\nprint("of", score)\ntwice = score * 2\ntwice' },
  { id: 'all', source: 'twice' },
];

const cellIds = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));
const tab = (page: Page, name: string) => page.locator(`[data-variant=${name}]`);
const mode = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

/** Checks that axe finds nothing in light, in dark and in a narrow window. */
async function expectAccessibleVariants(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, { coloursOnly: colorScheme === 'dark' });
  }
  await page.setViewportSize({ width: 900, height: 700 });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: null });
  if (size !== null) await page.setViewportSize(size);
}

test('[WI-110] [WI-111] [WI-112] a group takes one position, and its variants are chosen, all run, added, renamed, moved, deleted and undone', async ({
  page,
  serveReal,
}) => {
  const { url, server, sessionId } = await serveReal(CELLS);
  const groups = async (): Promise<VariantGroup[]> =>
    (await rest<{ variant_groups: VariantGroup[] }>(server.url, 'GET', `/v1/notebooks/sessions/${sessionId}`))
      .body.variant_groups;
  const choice = async (): Promise<string> => {
    const [group] = await groups();
    return group === undefined ? 'none' : `${group.mode} ${group.active_name}`;
  };
  const names = async (): Promise<string> =>
    (await groups())[0]?.members.map((one) => one.name).join(' ') ?? '';
  const order = async (): Promise<string[]> =>
    (await rest<{ cells: Cell[] }>(server.url, 'GET', `/v1/notebooks/${sessionId}/cells`)).body.cells.map(
      (cell) => cell.id,
    );
  await openLive(page, url);

  // The position has one card, the active variant. The other one has a tab, and choosing it can be undone.
  await expect.poll(cellIds(page)).toEqual(['base', 'lo', 'each', 'all']);
  await tab(page, 'high').click();
  await expect.poll(cellIds(page)).toEqual(['base', 'hi', 'each', 'all']);
  await expect.poll(choice).toBe('switch high');
  await expect(page.locator('[data-cell-id=hi]')).toBeFocused();
  await page.keyboard.press('z');
  await expect.poll(choice).toBe('switch low');
  await expect.poll(cellIds(page)).toEqual(['base', 'lo', 'each', 'all']);

  // Also by keyboard; the arrow keys treat the group as one cell.
  await page.locator('[data-cell-id=base] .bar').click();
  await page.keyboard.press('j');
  await expect(page.locator('[data-cell-id=lo]')).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.locator('[data-cell-id=hi]')).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.locator('[data-cell-id=each]')).toBeFocused();

  // All variants run; the cell below runs once for each, and its displays are shown by variant.
  await mode(page, 'All').click();
  await expect.poll(choice).toBe('sweep high');
  await page.locator('[data-cell-id=base] .bar').click();
  await page.keyboard.press('Control+Shift+Enter');
  for (const id of ['base', 'each', 'all']) {
    await expect(statusOf(page, id)).toHaveAttribute('data-status', 'ready');
  }
  const each = page.locator('[data-cell-id=each]');
  await expect(each).toContainText('once per level');
  await expect(each.locator('[data-variant-output=high] .output')).toContainText('24');
  await expect(each.locator('[data-variant-output=low] .output')).toContainText('22');
  await expect(each).toContainText('[variant=high]');
  await expect(page.locator('[data-cell-id=all]')).toContainText('low');
  await mode(page, 'One').click();
  await expect.poll(choice).toBe('switch high');

  // A copy is added beside the others, renamed in its tab and moved to the left; each step is undone.
  await page.getByRole('button', { name: 'Add variant: level' }).click();
  await expect.poll(names).toBe('low high high_copy');
  await expect.poll(choice).toBe('switch high_copy');
  await tab(page, 'high_copy').dblclick();
  await page.keyboard.type('top');
  await page.keyboard.press('Enter');
  await expect.poll(names).toBe('low high top');
  await expect.poll(choice).toBe('switch top');
  await expectAccessibleVariants(page);
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect.poll(names).toBe('low top high');
  await page.keyboard.press('z');
  await expect.poll(names).toBe('low high top');
  const cells = await rest<{ cells: Cell[] }>(server.url, 'GET', `/v1/notebooks/${sessionId}/cells`);
  const top = cells.body.cells.find((cell) => cell.variant_name === 'top');
  await expect(page.locator(`[data-cell-id="${top?.id}"]`)).toBeFocused();
  await pressSequence(page, 'd', 'd');
  await expect.poll(names).toBe('low high');
  await expect.poll(choice).toBe('switch low');
  await page.keyboard.press('z');
  await expect.poll(choice).toBe('switch top');

  // The group moves as one position.
  await expect.poll(cellIds(page)).toEqual(['base', top?.id, 'each', 'all']);
  await page.locator(`[data-cell-id="${top?.id}"] .bar`).click();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(cellIds(page)).toEqual([top?.id, 'base', 'each', 'all']);
  await expect.poll(order).toEqual(['lo', 'hi', top?.id, 'base', 'each', 'all']);
  await page.keyboard.press('z');
  await expect.poll(cellIds(page)).toEqual(['base', top?.id, 'each', 'all']);
});

test(
  '[WI-113] variants are created from the palette, and outline and graph show the group',
  longOnly('e2e/journey/variants.spec.ts', 'e2e/contract/variants.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal([
      { id: 'one', source: 'x = 1' },
      { id: 'two', source: 'x + 1' },
    ]);
    await openLive(page, url);
    await page.locator('[data-cell-id=one] .bar').click();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('turn cell into variants');
    await page.keyboard.press('Enter');
    await expect(tab(page, 'first_copy')).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator('[data-variant-group=x] [role=tab]')).toHaveText(['first', 'first_copy']);
    await expect(page.locator('.outline-row')).toContainText(['x', 'first', 'first_copy', 'cell 3']);
    await page.keyboard.press('z');
    await expect(page.locator('[data-variant-group]')).toHaveCount(0);
  },
);
