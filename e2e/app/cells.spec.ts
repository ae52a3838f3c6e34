import { expect, openPage, test } from '../support/fakeServerFixture.ts';

test('five hundred cells are all in the page, and a frame redraws only one', async ({ page, serve }) => {
  const { largeNotebook } = await import('../support/fakeServerSamples.ts');
  const { fake, url } = await serve(largeNotebook(500, 8));
  await openPage(page, url);
  await expect(page.locator('[data-cell-id]')).toHaveCount(500);
  await expect(page.locator('[data-cell-id=c499] .code-text')).toContainText('value_499');
  const changed = await page.evaluate(async () => {
    const touched = new Set<string>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const id = element?.closest('[data-cell-id]')?.getAttribute('data-cell-id');
        if (id) touched.add(id);
      }
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    Object.assign(window, { touched });
    return touched.size;
  });
  expect(changed).toBe(0);
  fake.status('c400', 'error');
  await expect(page.locator('[data-cell-id=c400]')).toHaveAttribute('data-status', 'error');
  const touched = await page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched]);
  // Cells near the viewport may be highlighted in the meantime; far ones must not change.
  expect(touched.filter((id) => Number(id.slice(1)) > 100)).toEqual(['c400']);
});
