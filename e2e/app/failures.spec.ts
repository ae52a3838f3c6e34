/** The error of a failed cell in a browser: a long message, and links from the traceback. Against a fake server. */

import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { outputsNotebook } from '../support/fakeServerOutputs.ts';

test('[WI-250] a long error message is complete, and the traceback can still be opened', async ({
  page,
  serve,
}) => {
  const message = `${'what is wrong, at length, '.repeat(20)}\n${'a line\n'.repeat(400)}the end`;
  const error = `Traceback (most recent call last):\n  File "<cell a>", line 1, in <module>\nValueError: no\n${message}`;
  const cells = [fakeCell({ id: 'a', defines: ['a'], source: 'a = 1', status: 'error', error })];
  const { url } = await serve(fakeBody({ name: 'Failed', cells }));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  const box = cell.locator('.error-message');
  const card = await cell.boundingBox();
  const bounds = await box.boundingBox();
  expect((bounds?.x ?? 0) + (bounds?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(cell.locator('.error-trace')).toBeInViewport();
  await box.focus();
  await page.keyboard.press('End');
  await expect.poll(() => box.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)).toBe(0);
  await expectAccessible(page);
});

test('a traceback links to its line, also in another cell', async ({ page, serve }) => {
  const { url } = await serve(outputsNotebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=weather]').getByRole('button', { name: 'trips, line 1' }).click();
  await expect(page.locator('[data-cell-id=trips] .code-mark')).toHaveAttribute('data-line', '1');
  await expect(page.locator('[data-cell-id=trips] .code-mark')).toBeInViewport();
});
