/**
 * Mounts in the data panel, in the whole window against a fake server: adding, changing, undo, problems and
 * named credentials.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const mounts = (page: Page) => page.getByRole('region', { name: 'Mounts' });
const row = (page: Page, name: string) => mounts(page).locator(`[data-mount=${name}]`);

async function openData(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Data', exact: true })
    .click();
}

test('[WI-90] a mount is added, changed and removed from the data panel, and undone', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await openData(page);
  await expect(mounts(page)).toContainText('A mount gives cells a path to external data');
  await page.getByRole('button', { name: 'Add mount' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a mount' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('1st');
  await dialog.getByRole('textbox', { name: 'Location' }).fill('ftp://x/y');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText([
    'Use letters, digits and _. Don’t start with a digit.',
    '"ftp://x/y" cannot be mounted: use file, s3, gs or az instead of ftp',
  ]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('raw');
  await dialog.getByRole('textbox', { name: 'Location' }).fill('file://./data');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(row(page, 'raw')).toContainText('file://./data');
  await expect
    .poll(() => fake.body.mounts)
    .toEqual([{ name: 'raw', uri: 'file://./data', mode: 'ro', pin: null, options: {}, credential: null }]);

  await row(page, 'raw').getByRole('button', { name: 'Edit mount raw' }).click();
  const change = page.getByRole('dialog', { name: 'Mount raw' });
  await change.getByRole('radio', { name: 'Read and write' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, 'raw')).toContainText('writable');

  await row(page, 'raw').getByRole('button', { name: 'Remove mount raw' }).click();
  await expect(row(page, 'raw')).toHaveCount(0);
  await page.locator('[data-cell-id=daily] .bar').click();
  await page.keyboard.press('z');
  await expect(row(page, 'raw')).toContainText('writable');
  await page.keyboard.press('z');
  await expect(row(page, 'raw')).not.toContainText('writable');
  await page.keyboard.press('z');
  await expect(row(page, 'raw')).toHaveCount(0);
  await expect.poll(() => fake.body.mounts).toEqual([]);
});

test('[WI-90] the problem of a mount is shown next to it', async ({ page, serve }) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Mounts', cells: [fakeCell({ id: 'a', source: '1' })] }),
  );
  const plain = { mode: 'ro', pin: null, options: {}, credential: null } as const;
  fake.body = {
    ...fake.body,
    mounts: [
      { name: 'trips', uri: 'file://./data/trips.csv', ...plain },
      { name: 'lake', uri: 's3://lake/year=2026/a/long/prefix/that/does/not/fit', ...plain },
      { name: 'gone', uri: 'file:///data/gone', ...plain },
    ],
  };
  fake.seenMounts = {
    lake: {
      state: 'problem',
      problem: 's3://lake cannot be listed with this credential (403 AccessDenied).',
    },
    gone: { state: 'missing', problem: 'There is no /data/gone.' },
  };
  await openPage(page, url);
  await openData(page);
  await expect(row(page, 'trips')).toContainText('2 kB');
  await expect(row(page, 'lake')).toContainText('not readable');
  await expect(row(page, 'lake')).toContainText('403 AccessDenied');
  await expect(row(page, 'gone')).toContainText('There is no /data/gone.');
});

test('[WI-89] after removing a mount, keyboard focus moves to the next one, then to the add button', async ({
  page,
  serve,
}) => {
  const mount = (name: string) => ({
    name,
    uri: `file://./${name}`,
    mode: 'ro' as const,
    pin: null,
    options: {},
    credential: null,
  });
  const { url } = await serve({ ...sampleNotebook(), mounts: ['m', 'n', 'o'].map(mount) });
  await openPage(page, url);
  await openData(page);
  const remove = (name: string) => row(page, name).getByRole('button', { name: `Remove mount ${name}` });
  await remove('n').press('Enter');
  await expect(remove('o')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(remove('m')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add mount' })).toBeFocused();
});

test('[WI-90] a refused mount keeps the form’s input and shows the server’s message', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.answers = { ...fake.answers, setMounts: refusal(409, 'The notebook is held by another program.') };
  await openPage(page, url);
  await openData(page);
  await page.getByRole('button', { name: 'Add mount' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a mount' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('raw');
  await dialog.getByRole('textbox', { name: 'Location' }).fill('s3://bucket/a/long/way/down');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The notebook is held by another program.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Location' })).toHaveValue('s3://bucket/a/long/way/down');
  fake.answers = Object.fromEntries(Object.entries(fake.answers).filter(([name]) => name !== 'setMounts'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, 'raw')).toContainText('s3://bucket/a/long/way/down');
});

test('[SG-63] a credential in notebook.toml is reported, and one click moves it to a named credential', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(
    fakeBody({ name: 'Mounts', cells: [fakeCell({ id: 'a', source: '1' })] }),
  );
  const options = { secret: '__svc_masked__' };
  fake.body = {
    ...fake.body,
    mounts: [{ name: 'lake', uri: 's3://lake/raw', mode: 'ro', pin: null, options, credential: null }],
  };
  await openPage(page, url);
  await openData(page);
  await expect(row(page, 'lake')).toContainText('secret is a credential in notebook.toml');
  await row(page, 'lake').getByRole('button', { name: 'Move to named credential' }).click();
  await expect(row(page, 'lake')).not.toContainText('is a credential');
  await expect.poll(() => fake.body.mounts[0]).toMatchObject({ options: {}, credential: 'lake' });
});
