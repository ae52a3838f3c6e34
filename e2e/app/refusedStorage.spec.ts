/** Tests a browser whose localStorage is full or blocked: notebook, home page and paste. With a fake server. */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = () =>
  fakeBody({
    name: 'Kept nowhere',
    cells: ['a', 'b', 'c'].map((id) =>
      fakeCell({ id, defines: [id], source: `${id} = 1`, console_stdout: `result of ${id}\n` }),
    ),
  });

/** Makes storage behave as if it were full. */
const fill = (): void => {
  Storage.prototype.setItem = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
};

/** Makes storage behave as in a frame of another site, or as if the user blocks all site data. */
const block = (): void => {
  Object.defineProperty(window, 'localStorage', {
    get: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
};

async function expectUsable(page: Page, url: string): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a]')).toContainText('result of a');
  await page.goto(new URL(url).origin);
  await expect(page.locator('[data-path]').first()).toContainText('Kept nowhere');
  expect(errors).toEqual([]);
}

test('[WI-88] a browser whose storage is full shows the notebook and the home page', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await page.addInitScript(fill);
  await expectUsable(page, url);
});

test('[WI-88] a browser that blocks storage shows the notebook and the home page', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await page.addInitScript(block);
  await expectUsable(page, url);
});

test('[WI-88] [ED-5] with full storage, the latest copied cell is pasted, not an earlier one', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  await page.keyboard.press('c');
  await page.evaluate(fill);
  await page.locator('[data-cell-id=b] .cell-name').click();
  await page.keyboard.press('x');
  await expect(page.locator('[data-cell-id=b]')).toHaveCount(0);
  await page.keyboard.press('v');
  await expect.poll(() => fake.body.cells.map(({ source }) => source)).toEqual(['a = 1', 'c = 1', 'b = 1']);
});
