/**
 * The banners of an untrusted folder and of packages waiting for approval, in the whole window against a fake
 * server.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const WORDS = 'Nothing runs in this folder until you trust it.';

test('[DK-24] outside the desktop window the banner explains where to trust the folder, without a button', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve({ ...sampleNotebook(), untrusted: WORDS });
  await openPage(page, url);
  const banner = page.locator('.notice', { has: page.locator('[data-untrusted]') });
  await expect(banner).toHaveText(`${WORDS} You can trust it in the desktop window.`);
  await expect(banner.getByRole('button')).toHaveCount(0);
  const { untrusted: _trusted, ...body } = fake.body;
  fake.body = body;
  fake.broadcastState();
  await expect(banner).toHaveCount(0);
});

const SOURCES = [
  { requirement: 'pandas>=2', kind: 'index', from: null },
  { requirement: 'evil @ file:///home/me/evil', kind: 'path', from: 'file:///home/me/evil' },
  { requirement: '*', kind: 'other_index', from: 'https://packages.example/simple' },
] as const;

test('[SG-27] the banner of an untrusted folder lists its packages and their sources', async ({
  page,
  serve,
}) => {
  const { url } = await serve({ ...sampleNotebook(), untrusted: WORDS, package_sources: [...SOURCES] });
  await openPage(page, url);
  const banner = page.locator('.notice', { has: page.locator('[data-untrusted]') });
  await expect(banner.locator('summary')).toHaveText(
    'Requires 3 packages, 2 of them not from the package index.',
  );
  await expect(banner.getByRole('listitem')).toHaveText([
    'pandas>=2from the package index',
    'evilfrom a path: file:///home/me/evil',
    'all packagesfrom another package index: https://packages.example/simple',
  ]);
  // By the keyboard: folded away, and back.
  await banner.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(banner.getByRole('listitem')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(banner.getByRole('listitem')).toHaveCount(3);
});

test('[SG-26] unapproved packages of an import are installed after a separate confirmation, by keyboard too', async ({
  page,
  serve,
}) => {
  const waiting = [SOURCES[1], { requirement: 'legacy', kind: 'build', from: null } as const];
  const { fake, url } = await serve({ ...sampleNotebook(), waiting_packages: waiting });
  const requests: unknown[] = [];
  fake.answers = {
    allowPackages: ({ body }) => {
      requests.push(body);
      return refusal(409, 'An environment job is running. Wait until it is done.');
    },
  };
  await openPage(page, url);
  const banner = page.locator('.notice', { has: page.locator('[data-waiting-packages]') });
  await expect(banner).toContainText('2 packages of this imported notebook are not installed');
  await banner.getByRole('button', { name: 'Review packages…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Install these packages?' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    'evilfrom a path: file:///home/me/evil',
    'legacybuilt from source',
  ]);
  // A hasty Enter installs nothing.
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => requests).toEqual([]);
  await banner.getByRole('button').click();
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    'An environment job is running. Wait until it is done.',
  );
  await expect.poll(() => requests).toEqual([{ requirements: ['evil @ file:///home/me/evil', 'legacy'] }]);
  const { waiting_packages: _allowed, ...body } = fake.body;
  fake.body = body;
  fake.broadcastState();
  await expect(banner).toHaveCount(0);
});
