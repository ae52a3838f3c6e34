/** Stored results in the files panel, in the whole window against a fake server: their size, and freeing space. */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

test('[WI-150] the files panel shows the size of stored results, and frees unneeded ones', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.storage = {
    ...fake.storage,
    store_bytes: 8_400_000_000,
    spare_bytes: 3_100_000_000,
    kept: [
      { reason: 'current', results: 41, bytes: 4_800_000_000 },
      { reason: 'input', results: 3, bytes: 400_000_000 },
      { reason: 'recent', results: 1, bytes: 100_000_000 },
      { reason: 'spare', results: 112, bytes: 3_100_000_000 },
    ],
  };
  await openPage(page, url);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('stored results');
  await page.keyboard.press('Enter');
  const section = page.getByRole('region', { name: 'Stored results' });
  await expect(section).toContainText('8.4 GB of 20.0 GB · 3.1 GB no longer needed');
  await expect(section.getByRole('img')).toHaveAccessibleName('8.4 GB stored, 3.1 GB no longer needed');
  await section.getByRole('button', { name: 'Free up space…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Free up space' });
  await expect(dialog.getByRole('row')).toHaveText([
    'Current results of cells41 results, 4.8 GB',
    'Inputs of these results3 results, 400.0 MB',
    'Used within the last hour1 result, 100.0 MB',
  ]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(section).toContainText('8.4 GB');

  await section.getByRole('button', { name: 'Free up space…' }).click();
  await dialog.getByRole('button', { name: 'Free 3.1 GB' }).click();
  await expect(page.locator('.toast-words')).toHaveText('Freed 3.1 GB: 112 results deleted.');
  await expect(dialog).toHaveCount(0);
  await expect(section).toContainText('5.3 GB of 20.0 GB');
  await expect(section).not.toContainText('no longer needed');
});

test('[WI-150] copies and the environment are listed too, and copies that no cell names are deleted with the rest', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.storage = {
    ...fake.storage,
    store_bytes: 1_000,
    kept: [{ reason: 'current', results: 1, bytes: 1_000 }],
    copies: [
      { kind: 'mount', copies: 2, bytes: 900_000_000, spare: 1, spare_bytes: 300_000_000 },
      { kind: 'fetch', copies: 0, bytes: 0, spare: 0, spare_bytes: 0 },
      { kind: 'environment', copies: 1, bytes: 400_000_000, spare: 0, spare_bytes: 0 },
    ],
  };
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Files', exact: true })
    .click();
  await page.getByRole('button', { name: 'Free up space…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Free up space' });
  await expect(dialog.getByRole('row')).toHaveText([
    'Current results of cells1 result, 1 kB',
    'Copies of mounts900.0 MB, 300.0 MB no longer used by any cell',
    'Notebook environment400.0 MB',
  ]);
  await dialog.getByRole('button', { name: 'Free 300.0 MB' }).click();
  await expect(dialog).toHaveCount(0);
});

test('[WI-150] a refusal is shown in the dialog, and an empty store is shown as empty', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Files', exact: true })
    .click();
  const section = page.getByRole('region', { name: 'Stored results' });
  await expect(section).toContainText('No results stored yet');
  fake.storage = { ...fake.storage, store_bytes: 500, spare_bytes: 400 };
  await page.reload();
  await expect(section).toContainText('500 bytes of 20.0 GB');
  const words = 'Cells are running. Free up space when they are done.';
  fake.answers = { ...fake.answers, sweepResults: refusal(409, words) };
  await section.getByRole('button', { name: 'Free up space…' }).click();
  await page.getByRole('button', { name: 'Free 400 bytes' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Cells are running.');
});
