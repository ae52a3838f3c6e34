/** Texts that were typed without a connection into a cell that another window deletes meanwhile. */
import { type FakeServer, refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, type Serve, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';
import { EDITING_WORDS } from '../words/editing.ts';

const TYPED = 'm = 2 + 3  # precious';

/** Opens a notebook of two cells, cuts its connection, types into the second one, and deletes it elsewhere. */
async function typedIntoDeleted({ page, serve }: { page: Page; serve: Serve }): Promise<FakeServer> {
  const cells = [
    fakeCell({ id: 'one', source: 'n = 1', defines: ['n'] }),
    fakeCell({ id: 'two', source: 'm = 2', defines: ['m'] }),
  ];
  const { fake, url } = await serve(fakeBody({ name: 'Two windows', cells }));
  await openPage(page, url);
  fake.refuseUpgrades = true;
  fake.dropSockets();
  await expect(page.locator('[data-link=lost]')).toBeVisible();
  await page.locator('[data-cell-id=two] .code').click();
  await expect(page.locator('[data-editor]')).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(TYPED.slice('m = 2'.length));
  await expect(page.locator('[data-saved=false]')).toBeVisible();
  fake.body = { ...fake.body, cells: fake.body.cells.filter(({ id }) => id !== 'two') };
  return fake;
}

async function connect(page: Page, fake: FakeServer): Promise<void> {
  fake.refuseUpgrades = false;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

test('[ED-65] a text typed while another window deletes its cell is put into a new cell', async ({
  page,
  serve,
}) => {
  const fake = await typedIntoDeleted({ page, serve });
  await connect(page, fake);
  await expect(page.getByText('Your text is in a new cell').first()).toBeVisible();
  await expect(page.locator('[data-cell-id]')).toHaveCount(2);
  await expect(page.locator('[data-cell-id]').last()).toContainText(TYPED);
  await expect.poll(() => fake.body.cells.map(({ source }) => source)).toEqual(['n = 1', TYPED]);
  await expect(page.locator('[data-orphan]')).toHaveCount(0);
});

test('[ED-65] a text whose cell was deleted is kept if no new cell can be made for it', async ({
  page,
  serve,
}) => {
  const fake = await typedIntoDeleted({ page, serve });
  fake.answers.addCell = refusal(409, 'There are too many cells.');
  await connect(page, fake);
  await expect(page.locator('[data-orphan=two]')).toContainText('was deleted elsewhere');
  await expect(page.getByText('There are too many cells.').first()).toBeVisible();
  await expect(page.locator('[data-cell-id]')).toHaveCount(1);
  fake.answers = {};
  await page.getByRole('button', { name: EDITING_WORDS.orphanToNewCell }).click();
  await expect(page.locator('[data-orphan]')).toHaveCount(0);
  await expect(page.locator('[data-cell-id]').last()).toContainText(TYPED);
  await expect.poll(() => fake.body.cells.map(({ source }) => source)).toEqual(['n = 1', TYPED]);
  await expect(page.locator('[data-saved=true]')).toBeVisible();
});
