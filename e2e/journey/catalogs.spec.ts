import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
/** The interpreter whose packages the notebook uses: pandas and pyarrow. */
const PYTHON = process.env['CELLAR_TEST_PYTHON'];
/** The interpreter with pyiceberg, which writes the tables. */
const WRITER = process.env['CELLAR_TEST_SERVICES'];
const PROGRAM = join(import.meta.dirname, '../services/plane_tables.py');
/** By default the status of a cell that reads a catalog is checked every minute; this server checks every second. */
const SERVER = { env: { SVC_NOTEBOOK_REMOTE_STATUS_SECONDS: '1' } };
const SEEN = { timeout: 240_000 };

function write(folder: string, ...more: readonly string[]): readonly string[] {
  const line = execFileSync(WRITER ?? '', ['-I', PROGRAM, folder, ...more], { encoding: 'utf8' });
  return (JSON.parse(line) as { readonly snapshots: readonly string[] }).snapshots; // the output of that script
}

test(
  '[WI-354] a catalog is attached and browsed; a cell reads its table, goes stale with a new snapshot, and its results are compared',
  longOnly(
    'src-renderer/panels/catalogs.test.tsx',
    'src-renderer/panels/inspector.test.tsx',
    'e2e/contract/attachedCatalog.test.ts',
  ),
  async ({ page, serveReal }) => {
    test.skip(
      PYTHON === undefined || WRITER === undefined,
      'needs interpreters with pandas and with pyiceberg',
    );
    test.setTimeout(600_000);
    const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
    const packages = execFileSync(PYTHON ?? '', ['-c', where], { encoding: 'utf8' }).trim();
    const folder = mkdtempSync(join(tmpdir(), 'cellar-lake-'));
    const { url } = await serveReal(
      [{ id: 'setup', source: `# @setup\nimport sys\nsys.path.insert(0, ${JSON.stringify(packages)})` }],
      { prepare: () => () => rmSync(folder, { recursive: true, force: true }), server: SERVER },
    );
    const [first = ''] = write(folder);
    await openLive(page, url);
    await page.getByRole('button', { name: 'Data', exact: true }).click();
    const section = page.getByRole('region', { name: 'Catalogs' });
    const shot = async (name: string): Promise<void> => {
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/catalogs-${name}.png` });
    };
    await expect(section).toContainText('A catalog lists the Iceberg tables of a warehouse.');
    await shot('empty');

    // Attaches a missing folder, then corrects it.
    await section.getByRole('button', { name: 'Attach catalog' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Attach a catalog' });
    await form.getByRole('textbox', { name: 'Name' }).fill('lake');
    await form.getByRole('textbox', { name: 'Folder' }).fill(`${folder}/nowhere`);
    await expectAccessible(page);
    await shot('form');
    await form.getByRole('textbox', { name: 'Folder' }).press('Enter');
    await expect(form).toBeHidden();
    await section.locator('[data-catalog=lake] summary', { hasText: 'lake' }).click();
    await expect(section.getByRole('alert')).toContainText('There is no warehouse folder');
    await shot('error');
    await section.getByRole('button', { name: 'Edit catalog lake' }).click();
    const change = page.getByRole('dialog', { name: 'Catalog lake' });
    await change.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(change).toBeHidden();

    // Browses the catalog and shows the first rows, by keyboard.
    await section.locator('summary', { hasText: 'ns' }).press('Enter');
    await section.locator('summary', { hasText: 'orders' }).press('Enter');
    const columns = section.getByRole('list', { name: 'Columns: orders' });
    await expect(columns.locator('li')).toHaveText(['idlong', 'citystring', 'pricedouble']);
    const snapshots = section.getByRole('list', { name: 'Snapshots: orders' });
    await expect(snapshots.locator('.snapshot-what')).toHaveText([
      'Rows added · +5, 15 rows in total',
      'Rows added · +10, 10 rows in total',
    ]);
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shot(colorScheme);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await snapshots
      .getByRole('button', { name: `Show the first rows of orders at snapshot ${first}` })
      .press('Enter');
    const preview = page.getByRole('dialog', { name: /^First rows of orders at snapshot/ });
    await expect(preview.locator('tbody tr')).toHaveCount(10);
    await shot('preview');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    // Inserts a cell that reads the newest snapshot, and a cell with a pinned one.
    await section.getByRole('button', { name: 'Insert a cell that reads orders', exact: true }).click();
    const cells = page.locator('[data-cell-id]').filter({ hasText: 'lake:ns.orders' });
    await expect(cells).toHaveCount(1);
    const id = (await cells.first().getAttribute('data-cell-id')) ?? '';
    await snapshots
      .getByRole('button', { name: `Insert a cell that reads orders at snapshot ${first}` })
      .click();
    await expect(cells).toHaveCount(2);
    const follows = page.locator(`[data-cell-id="${id}"]`);
    const pinned = cells.filter({ hasText: `snapshot=${first}` }).first();
    for (const [cell, rows] of [
      [follows, 15],
      [pinned, 10],
    ] as const) {
      await cell.getByRole('button', { name: /^Run/ }).first().click();
      await expect(cell).toHaveAttribute('data-status', 'ready', SEEN);
      // A table of one page shows its number of rows, a longer one the part that is visible.
      await expect(cell).toContainText(new RegExp(`of ${rows}|${rows} rows`));
    }

    // Another program adds a snapshot: the first cell goes stale with the reason, the pinned one does not.
    const newest = write(folder, 'append').at(-1) ?? '';
    await expect(follows).not.toHaveAttribute('data-status', 'ready', SEEN);
    await expect(follows).toContainText(`orders_table has a new snapshot, ${newest}`);
    await expect(pinned).toHaveAttribute('data-status', 'ready');
    await section.getByRole('button', { name: 'Refresh catalog lake' }).click();
    await expect(snapshots.locator(`[data-snapshot="${newest}"]`)).toContainText('current');
    await follows.locator('.bar').click({ position: { x: 60, y: 8 } });
    const inspector = page.locator('[data-region=right]');
    await expect(inspector).toContainText(
      `The table orders_table changed: lake:ns.orders has snapshot ${newest} now`,
    );
    await shot('stale');
    await follows.getByRole('button', { name: /^Run/ }).first().click();
    await expect(follows).toHaveAttribute('data-status', 'ready', SEEN);
    await expect(follows).toContainText('of 16');
    await inspector.getByRole('button', { name: 'Compare results' }).click();
    const compare = page.getByRole('dialog', { name: /^Results of/ });
    await expect(compare).toContainText('15');
    await expect(compare).toContainText('16');
    await shot('compare');
    await page.keyboard.press('Escape');
    await section.getByRole('button', { name: 'Remove catalog lake' }).click();
    await expect(section.locator('[data-catalog]')).toHaveCount(0);
  },
);
