import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

/** Presses a key at a time of the page's clock, whenever it is handled. */
function pressAt(key: string, timeStamp: number): void {
  const event = new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, bubbles: true });
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  document.activeElement?.dispatchEvent(event);
}

test('[ED-4] keys form a sequence by when they were pressed, not by when the page handles them', async ({
  page,
  serve,
}) => {
  const cells = ['a', 'b', 'c'].map((id) => fakeCell({ id, defines: [id] }));
  const { url } = await serve(fakeBody({ name: 'Keys', cells }));
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .cell-name').click();
  const focused = page.locator('.cell.focus');
  // Far apart: the second begins a sequence of its own, which the third does not complete.
  pressAt('d', 1_000);
  pressAt('d', 9_000);
  pressAt('j', 9_100);
  await expect(focused).toHaveAttribute('data-cell-id', 'b');
  await expect(page.locator('[data-cell-id]')).toHaveCount(3);
  pressAt('d', 20_000);
  pressAt('d', 20_800);
  await expect(page.locator('[data-cell-id]')).toHaveCount(2);
  await expect(page.locator('[data-cell-id=b]')).toHaveCount(0);
});
