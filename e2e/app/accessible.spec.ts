import { expectAccessible } from '../support/axe.ts';
import { emptyWorld, foundAt, homeAnswers, sessionAt, THREE_EXAMPLES } from '../support/fakeHome.ts';
import { refusal } from '../support/fakeServer.ts';
import { expect, openPage, storeBefore, test } from '../support/fakeServerFixture.ts';
import { fakeBody } from '../support/fakeServerNotebook.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

// The behaviour of these dialogs, banners and lists is tested in src-renderer; here axe checks how they are drawn.
test.use({ viewport: { width: 1440, height: 900 } });

const DIALOG = { only: '[role=dialog], [role=alertdialog]' };

test('[WI-69] banners, dialogs and lists over a notebook are accessible', async ({ page, serve }) => {
  const plain = { mode: 'ro', pin: null, options: {}, credential: null } as const;
  const { fake, url } = await serve({
    ...sampleNotebook(),
    untrusted: 'Nothing runs in this folder until you trust it.',
    package_sources: [
      { requirement: 'pandas>=2', kind: 'index', from: null },
      { requirement: '*', kind: 'other_index', from: 'https://packages.example/simple' },
    ],
    waiting_packages: [{ requirement: 'legacy', kind: 'build', from: null }],
    mounts: [
      { ...plain, name: 'trips', uri: 'file://./data/trips.csv' },
      { ...plain, name: 'gone', uri: 'file:///data/gone' },
      { ...plain, name: 'lake', uri: 's3://lake/raw', options: { secret: '__svc_masked__' } },
    ],
  });
  fake.seenMounts = { gone: { state: 'missing', problem: 'There is no /data/gone.' } };
  fake.storage = {
    ...fake.storage,
    store_bytes: 8_400_000_000,
    spare_bytes: 3_100_000_000,
    kept: [{ reason: 'current', results: 41, bytes: 5_300_000_000 }],
    copies: [{ kind: 'mount', copies: 2, bytes: 900_000_000, spare: 1, spare_bytes: 300_000_000 }],
  };
  const resultOf = (version: number) => ({
    variable: 'daily',
    artifact_uri: `svc:daily@${version}`,
    version,
    content_type: 'arrow/ipc',
    rows: 334,
    columns: null,
    byte_size: 10_000,
    created_at: `2025-03-0${version}T09:14:00.000Z`,
    current: version === 2,
    provenance_hash: 'abc',
  });
  fake.results.set('daily', [resultOf(2), resultOf(1)]);
  const compared = new URLSearchParams({ before: 'svc:daily@1', after: 'svc:daily@2' });
  fake.comparisons.set(`?${compared}`, {
    kind: 'table',
    rows: { before: 300, after: 334 },
    columns_added: ['rain'],
    columns_removed: [],
    differences: [{ row: 4, column: 'km', before: null, after: 2.5 }],
    rows_compared: 300,
  });
  await openPage(page, url);
  const panels = page.getByRole('navigation', { name: 'Panels' });
  const panel = (name: string): Promise<void> => panels.getByRole('button', { name, exact: true }).click();
  await panel('Data');
  await expect(page.locator('[data-mount=gone]')).toContainText('There is no /data/gone.');
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(page.getByRole('button', { name: 'Compare results' })).toBeVisible();
  await expectAccessible(page, { exclude: 'iframe' });

  // After the folder is trusted, its packages wait for approval.
  const { untrusted: _trusted, ...trusted } = fake.body;
  fake.body = trusted;
  fake.broadcastState();
  const dialog = page.getByRole('dialog');
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(page.locator(DIALOG.only)).toHaveCount(0);
  };
  await page.getByRole('button', { name: 'Review packages…' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Install these packages?' })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await close();
  await panel('Files');
  await page.getByRole('button', { name: 'Free up space…' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Free up space' })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await close();
  await panel('Data');
  await page.getByRole('button', { name: 'Add mount' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('1st');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert').first()).toBeVisible();
  await expectAccessible(page, DIALOG);
  await close();
  await page.getByRole('button', { name: 'Compare results' }).click();
  await expect(dialog.locator('tbody tr td')).toHaveCount(4);
  await expectAccessible(page, DIALOG);
  await close();
  await page.locator('[data-cell-id=daily]').focus();
  for (const [keys, name] of [
    ['Control+Shift+P', 'Commands'],
    ['Control+P', 'Go to'],
    ['h', 'Keyboard shortcuts'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    if (name === 'Go to') {
      await page.keyboard.insertText('trips');
      await expect(dialog.getByRole('option').first()).toBeVisible();
    }
    await expectAccessible(page, { only: name === 'Keyboard shortcuts' ? '.dialog' : '.pick' });
    await close();
  }
});

test('[WI-69] lists, fields and dialogs of the home page are accessible', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Bike trips', cells: [] }));
  const world = { ...emptyWorld(), examples: THREE_EXAMPLES };
  fake.answers = homeAnswers(world);
  const { origin } = new URL(url);
  const open = async (): Promise<void> => {
    await page.goto(origin);
    await expect(page.locator('.home-main')).toHaveAttribute('aria-busy', 'false');
  };
  await open();
  await expect(page.getByText('No notebooks yet')).toBeVisible();
  await expectAccessible(page);

  const more = { name: 'example-4', path: '/examples/4', title: 'Example 4', about: 'More.', cells: 4 };
  world.examples = [...THREE_EXAMPLES, more];
  world.sessions = [sessionAt('/n/open', 'Open one')];
  world.found = [foundAt('/n/other', null)];
  world.gone.add('/usb/gone');
  const recents = [
    { path: '/n/pinned', name: 'Pinned', pinned: true, openedAtMs: 2 },
    { path: '/usb/gone', name: 'Gone', openedAtMs: 1 },
  ];
  await storeBefore(page, url, { 'cellar.recents': JSON.stringify(recents) });
  await open();
  await page.getByRole('button', { name: 'Show all 4 examples' }).click();
  await expect(page.locator('.example-title')).toHaveCount(4);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New notebook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New notebook' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.locator('[data-path="/n/open"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete notebook' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);

  const { openNotebook: _opened, ...others } = fake.answers;
  fake.answers = { ...others, openNotebook: refusal(404, 'No notebook.toml in /home/me/photos') };
  await page.getByRole('button', { name: 'Open folder' }).click();
  await page.getByRole('textbox', { name: 'Notebook folder' }).fill('/home/me/photos');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('searchbox').fill('zebra');
  await expect(page.getByText('No results for “zebra”')).toBeVisible();
  fake.isDown = true;
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText('The server is not responding')).toBeVisible();
  await expectAccessible(page);
});
