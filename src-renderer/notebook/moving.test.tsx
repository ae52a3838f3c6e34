/** Moving several selected cells by keyboard in the whole window, against a fake server. */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const notebook = (count: number) =>
  fakeBody({
    name: 'Order',
    cells: Array.from({ length: count }, (_, at) =>
      fakeCell({ id: `c${at}`, defines: [`v${at}`], source: `v${at} = ${at}\nv${at}`, status: 'ready' }),
    ),
  });

const shown = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test('[ED-8] Alt and an arrow move cells too', async ({ page, serve }) => {
  const { url } = await serve(notebook(3));
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(shown(page)).toEqual(['c2', 'c0', 'c1']);
  await expect(page.locator('.cell.selected')).toHaveCount(2);
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(shown(page)).toEqual(['c0', 'c1', 'c2']);
});
