/**
 * The settings section "Snippets" in a browser, against a fake server: adding, editing, deleting and damaged files;
 * also snippets offered in an empty cell.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { OwnSnippet, OwnSnippets } from '../../src-shared/wire/routes/snippets.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const LOAD: OwnSnippet = { name: 'Load sales', language: 'python', source: 'sales = 1' };
const body = () =>
  fakeBody({
    name: 'Trips',
    cells: [fakeCell({ id: 'a', source: '' }), fakeCell({ id: 'b', source: 'b = 1' })],
  });

test('[WI-400] snippets are added, edited and deleted in the settings, and offered in an empty cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(body());
  let own: OwnSnippets = { snippets: [], problem: null, path: '/home/me/snippets.toml', sha256: null };
  const bases: (string | null)[] = [];
  fake.answers.ownSnippets = () => own;
  fake.answers.setOwnSnippets = ({ body: asked }) => {
    const { snippets, base_sha256 } = asked as { snippets: OwnSnippet[]; base_sha256: string | null };
    bases.push(base_sha256);
    own = { ...own, snippets, sha256: `digest ${bases.length}` };
    return own;
  };
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  const region = page.getByRole('region', { name: 'Snippets' });
  await expect(region).toContainText('You have no snippets yet.');
  await expect(region).toContainText('/home/me/snippets.toml');

  await region.getByRole('button', { name: 'Add snippet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New snippet' });
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Load sales');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('sales = 1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(own.snippets).toEqual([LOAD]);

  await region.getByRole('button', { name: 'Edit Load sales' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit snippet' });
  await editing.getByRole('textbox', { name: 'Text' }).fill('sales = 2');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toHaveCount(0);
  expect(own.snippets).toEqual([{ ...LOAD, source: 'sales = 2' }]);

  await region.getByRole('button', { name: 'Delete Load sales' }).click();
  await expect(region).toContainText('You have no snippets yet.');
  await region.getByRole('button', { name: 'Undo' }).click();
  await expect(region.getByRole('button', { name: 'Edit Load sales' })).toBeVisible();
  expect(bases).toEqual([null, 'digest 1', 'digest 2', 'digest 3']);

  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('[data-cell-id=a] .code').click();
  await page.keyboard.type('/load');
  await page.getByRole('option', { name: 'Load sales' }).click();
  await expect.poll(() => fake.body.cells[0]?.source).toBe('sales = 2');
});

test('[WI-402] a damaged file of snippets is named in the settings and in the menu of an empty cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(body());
  const problem = '/home/me/snippets.toml: line 3: unexpected character.';
  fake.answers.ownSnippets = { snippets: [], problem, path: '/home/me/snippets.toml', sha256: 'x' };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .code').click();
  await page.keyboard.type('/');
  await expect(page.locator('.slash')).toContainText(`Your own snippets are not shown. ${problem}`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const region = page.getByRole('region', { name: 'Snippets' });
  await expect(region.getByRole('alert')).toContainText(problem);
  await expect(region.getByRole('button', { name: 'Add snippet' })).toHaveCount(0);
});

test('[WI-401] a save that is refused keeps what was typed', async ({ page, serve }) => {
  const { fake, url } = await serve(body());
  fake.answers.ownSnippets = { snippets: [LOAD], problem: null, path: '/home/me/snippets.toml', sha256: 'x' };
  fake.answers.setOwnSnippets = refusal(409, 'The file was changed by another program.');
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  const region = page.getByRole('region', { name: 'Snippets' });
  await region.getByRole('button', { name: 'Add snippet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New snippet' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Load sales');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('x = 1');
  await expect(dialog.getByRole('alert')).toHaveText('You already have a snippet with this name.');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Other');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('The file was changed by another program.');
  await expect(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue('x = 1');
});
