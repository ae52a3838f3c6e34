/** A notebook of 500 cells in a browser: all are in the page, and a status message redraws one. With a fake server. */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';

test('all of five hundred cells are in the page, and a status change redraws only one', async ({
  page,
  serve,
}) => {
  const { largeNotebook } = await import('../support/fakeServerSamples.ts');
  const { fake, url } = await serve(largeNotebook(500, 8));
  await openPage(page, url);
  await expect(page.locator('[data-cell-id]')).toHaveCount(500);
  await expect(page.locator('[data-cell-id=c499] .code-text')).toContainText('value_499');
  const changed = await page.evaluate(async () => {
    const cellIds = new Set<string>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const id = element?.closest('[data-cell-id]')?.getAttribute('data-cell-id');
        if (id) cellIds.add(id);
      }
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    Object.assign(window, { cellIds });
    return cellIds.size;
  });
  expect(changed).toBe(0);
  fake.status('c400', 'error');
  await expect(page.locator('[data-cell-id=c400]')).toHaveAttribute('data-status', 'error');
  const cellIds = await page.evaluate(() => [...(window as unknown as { cellIds: Set<string> }).cellIds]);
  // Cells near the viewport may be highlighted in the meantime; far ones must not change.
  expect(cellIds.filter((id) => Number(id.slice(1)) > 100)).toEqual(['c400']);
});
