/** Tests the import of a dropped Jupyter notebook and its export as a web page, in a browser with a real server. */

import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/realServerFixture.ts';

const STUDY = JSON.stringify({
  nbformat: 4,
  cells: [
    { cell_type: 'markdown', source: '# A study' },
    { cell_type: 'code', source: '%matplotlib inline\n!ls\nanswer = 42\nanswer' },
  ],
});

test('[TR-30] [TR-31] a dropped Jupyter notebook shows an import report, opens, and is exported as a page', async ({
  page,
  serveReal,
}) => {
  const { server } = await serveReal([{ id: 'a0000001', source: '1' }], { own: true });
  await page.goto(`${server.url}/#/`);
  const drop = async (name: string, text: string): Promise<void> => {
    const data = await page.evaluateHandle(
      ([fileName, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content ?? ''], fileName ?? ''));
        return transfer;
      },
      [name, text],
    );
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  };
  await drop('broken.ipynb', '{');
  await expect(page.getByRole('alert')).toContainText('This is not a Jupyter notebook');
  await page.keyboard.press('Escape');
  await drop('study.ipynb', STUDY);
  const dialog = page.getByRole('dialog', { name: 'study was imported' });
  await expect(dialog).toContainText('Shell commands that were not run');
  await expect(dialog).toContainText('!ls');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Open notebook' }).click();
  await expect(page.getByRole('heading', { name: 'A study' })).toBeVisible();
  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.type('Export as web page');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('study.html');
  const html = await readFile(await download.path(), 'utf8');
  expect(html).toContain('<h1>A study</h1>');
  expect(html).toContain('answer = 42');
  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.type('Export app view');
  const [app] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(app.suggestedFilename()).toBe('study-app.html');
  const appHtml = await readFile(await app.path(), 'utf8');
  expect(appHtml).toContain('<article class="cell" aria-label="A study">');
  expect(appHtml).not.toContain('answer = 42');
});
