import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Sets a variable of the page if any part of a name or an output is treated as markup. */
const TRAP = '<img src=x onerror="window.__escaped = 1"><script>window.__escaped = 1</script>';
const LINK = '[go](javascript:window.__escaped=1)';

const escaped = (page: Page) => page.evaluate(() => Reflect.get(window, '__escaped') ?? null);

test('[WI-86] markup in names of cells, folders, files and variables is shown as text', async ({
  page,
  serveReal,
}) => {
  const name = 'n <img src=x onerror=alert(1)>';
  const { url, dir } = await serveReal(
    [
      { id: 'one', source: `# @name ${TRAP}\nmarkup = ${JSON.stringify(TRAP)}\nmarkup` },
      { id: 'two', source: 'ａ＿b̸̡ = markup\nprint(ａ＿b̸̡)' },
    ],
    { name },
  );
  await writeFile(join(dir, '<img src=x onerror=top.__escaped=1>.txt'), 'x');
  await openLive(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
  await page.getByRole('button', { name: 'Files' }).first().click();
  await expect(page.locator('.side-left')).toContainText('onerror=top.__escaped=1');
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  expect(await escaped(page)).toBeNull();
});

test('[WI-86] hostile Markdown is shown as text', async ({ page, serveReal }) => {
  const text = `${TRAP}\n\n${LINK}\n\n<iframe srcdoc="${LINK}"></iframe>`;
  const { url } = await serveReal([{ id: 'one', source: `Markdown(${JSON.stringify(text)})` }]);
  await openLive(page, url);
  const title = await page.title();
  await page.getByRole('button', { name: /^Run cell/ }).click();
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
  await expect(page.locator('[data-results=one]')).not.toBeEmpty();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  await expect(page.locator('a[href^="javascript:" i]')).toHaveCount(0);
  expect([await escaped(page), await page.title(), page.url()]).toEqual([null, title, url]);
});
