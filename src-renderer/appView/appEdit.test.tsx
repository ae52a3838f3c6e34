/**
 * The app view and its editor, against a fake server: hiding cells, title and theme, slides, tabs, the grid,
 * undo, and refused changes.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell, fakeOutput } from '../../e2e/support/fakeServerNotebook.ts';
import type { AppLayout } from '../../src-shared/wire/appLayout.ts';
import { expect, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const text = (preview: string) =>
  fakeOutput({ content_type: 'json/object', artifact_uri: `svc://artifact/${preview}@v=1`, preview });

const named = (name: string) => ({ annotations: { ...fakeCell({ id: 'x' }).annotations, name } });

function notebook(app?: AppLayout) {
  const body = fakeBody({
    name: 'Sales',
    cells: [
      fakeCell({ id: 'intro', language: 'markdown', source: '## Start\n\nWords.', status: 'ready' }),
      fakeCell({
        id: 'a',
        ...named('north'),
        source: '# @name north\n1',
        status: 'ready',
        display_outputs: [text('north result')],
      }),
      fakeCell({ id: 'end', language: 'markdown', source: '## End', status: 'ready' }),
      fakeCell({
        id: 'b',
        ...named('south'),
        source: '# @name south\n2',
        status: 'stale',
        display_outputs: [text('south result')],
      }),
      fakeCell({ id: 'c', ...named('prices'), source: '# @name prices\nprices = 1', status: 'ready' }),
    ],
  });
  return app === undefined ? body : { ...body, app: structuredClone(app) as NonNullable<typeof body.app> };
}

const appUrl = (url: string, more = ''): string => `${url.replace('#/notebook/', '#/app/')}${more}`;
const shown = (page: Page) => () =>
  page.locator('[data-app-cell]').evaluateAll((all) => all.map((one) => one.getAttribute('data-app-cell')));

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Sales' })).toBeVisible();
}

test('[WI-393] cells are hidden and shown by keyboard, undone and redone', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await open(page, appUrl(url, '&edit=1'));
  await expect.poll(shown(page)).toEqual(['intro', 'a', 'end', 'b']);
  await page.getByRole('button', { name: 'Hide north' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(shown(page)).toEqual(['intro', 'end', 'b']);
  await expect.poll(() => fake.body.app?.cells).toEqual({ a: { shown: false } });
  await page.getByRole('button', { name: 'Show north' }).click();
  await expect.poll(() => fake.body.app?.cells).toEqual({});
  // A cell without a result is shown only if the layout says so.
  await page.getByRole('button', { name: 'Show prices' }).click();
  await expect.poll(shown(page)).toEqual(['intro', 'a', 'end', 'b', 'c']);
  await expect.poll(() => fake.body.app?.cells).toEqual({ c: { shown: true } });
  await page.keyboard.press('Control+z');
  await expect.poll(shown(page)).toEqual(['intro', 'a', 'end', 'b']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(shown(page)).toEqual(['intro', 'a', 'end', 'b', 'c']);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => fake.body.app).toEqual({ cells: {} });
  await expect(page.getByRole('button', { name: 'Undo layout change' })).toBeDisabled();
});

test('[WI-393] title, theme and code belong to the app', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await open(page, appUrl(url, '&edit=1'));
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Our sales');
  await title.press('Enter');
  await expect(page.getByRole('heading', { name: 'Our sales' })).toBeVisible();
  await page.getByRole('switch', { name: 'Show code' }).click();
  await page.getByRole('button', { name: 'Hide the code of south' }).click();
  await expect
    .poll(() => fake.body.app)
    .toEqual({ title: 'Our sales', code: true, cells: { b: { code: false } } });
  await expect(page.locator('[data-app-cell=a]')).toContainText('# @name north');
  await expect(page.locator('[data-app-cell=b]')).not.toContainText('# @name south');
});

test('[WI-399] a reader sees what another window changes, and cannot edit', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook({ title: 'For readers', theme: 'dark', cells: {} }));
  await page.goto(appUrl(url));
  await expect(page.getByRole('heading', { name: 'For readers' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expect(page.getByRole('button', { name: 'Hide north' })).toHaveCount(0);
  fake.send('app_layout', { cells: { a: { shown: false } } });
  await expect.poll(shown(page)).toEqual(['intro', 'end', 'b']);
  await expect(page.getByRole('heading', { name: 'Sales' })).toBeVisible();
});

test('[WI-394] results that are out of date are named and run', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await open(page, appUrl(url));
  await expect(page.getByText('1 result is out of date.')).toBeVisible();
  await page.getByRole('button', { name: 'Update results' }).click();
  await expect
    .poll(() =>
      fake.requests.filter(({ name }) => name === 'executeCell').map(({ params }) => params['cell_id']),
    )
    .toEqual(['b']);
});

test('[WI-395] slides are shown by keyboard; the address has the slide', async ({ page, serve }) => {
  const { url } = await serve(notebook({ layout: 'slides', cells: { a: { slide: 'join' } } }));
  await open(page, appUrl(url));
  await expect(page.getByText('1 / 3')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText('3 / 3')).toBeVisible();
  await page.keyboard.press('PageUp');
  await expect(page.getByText('2 / 3')).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.location.hash)).toContain('slide=2');
  await page.reload();
  await expect(page.getByText('2 / 3')).toBeVisible();
});

test('[ED-99] [ED-100] slides are ordered by buttons and keys, announced, undone and redone', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook({ layout: 'slides', cells: { a: { slide: 'join' } } }));
  await open(page, appUrl(url, '&edit=1'));
  const rows = () =>
    page.locator('.app-slide-go').evaluateAll((all) => all.map((one) => one.textContent?.trim()));
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim();
    });
  await expect.poll(rows).toEqual(['Slide 1 Start +1', 'Slide 2 End', 'Slide 3 south']);
  await expect(page.getByRole('button', { name: 'Move slide 1 up' })).toBeDisabled();

  await page.getByRole('button', { name: 'Move slide 2 up' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(rows).toEqual(['Slide 1 End', 'Slide 2 Start +1', 'Slide 3 south']);
  await expect.poll(() => fake.body.app?.slides).toEqual(['end', 'intro', 'b']);
  await expect(page.getByText('End is now slide 1 of 3.')).toBeVisible();
  // The button that was pressed cannot be pressed again, so the focus is on the other one.
  await expect.poll(focused).toBe('Move slide 1 down');
  await expect.poll(shown(page)).toEqual(['end', 'intro', 'a', 'b']);

  await page.getByRole('button', { name: 'Slide 3 south', exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(rows).toEqual(['Slide 1 End', 'Slide 2 south', 'Slide 3 Start +1']);
  await expect.poll(focused).toBe('Slide 2 south');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByText('south cannot move further in this direction.')).toBeVisible();
  await expect.poll(() => fake.body.app?.slides).toEqual(['end', 'intro', 'b']);

  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => fake.body.app?.slides).toEqual(['end', 'intro', 'b']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => fake.body.app).toEqual({ layout: 'slides', cells: { a: { slide: 'join' } } });
  await expect.poll(rows).toEqual(['Slide 1 Start +1', 'Slide 2 End', 'Slide 3 south']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(rows).toEqual(['Slide 1 End', 'Slide 2 Start +1', 'Slide 3 south']);
});

test('[ED-99] slides are shown in the order of the layout, with unknown ids and unlisted cells', async ({
  page,
  serve,
}) => {
  const slides = ['gone', 'end', 'intro', 'end'];
  const { url } = await serve(notebook({ layout: 'slides', slides, cells: {} }));
  await open(page, appUrl(url));
  const slide = page.locator('.app-slide:not([hidden]) [data-app-cell]');
  const cells = ['end', 'b', 'intro', 'a'];
  for (const [at, id] of cells.entries()) {
    await expect(page.getByText(`${at + 1} / 4`)).toBeVisible();
    await expect
      .poll(() => slide.evaluateAll((all) => all.map((one) => one.getAttribute('data-app-cell'))))
      .toEqual([id]);
    await page.keyboard.press('ArrowRight');
  }
});

test('[WI-407] in a browser without full screen a message says so, and the slide stays', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook({ layout: 'slides', cells: {} }));
  await open(page, appUrl(url, '&slide=2'));
  await expect(page.getByText('2 / 4')).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByText('This browser does not allow full screen here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible();
  await expect(page.getByText('2 / 4')).toBeVisible();
  // Escape has nothing to leave.
  await page.keyboard.press('Escape');
  await expect(page.getByText('2 / 4')).toBeVisible();
});

test('[WI-396] a tab is renamed, moved, and takes a cell of another one', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook({ layout: 'tabs', cells: {} }));
  await open(page, appUrl(url, '&edit=1'));
  const tabs = () => page.getByRole('tab').evaluateAll((all) => all.map((one) => one.textContent));
  await expect.poll(tabs).toEqual(['Start', 'End']);
  const cellTab = page.getByRole('combobox', { name: 'Tab of north' });
  await cellTab.fill('Figures');
  await cellTab.press('Enter');
  await expect.poll(tabs).toEqual(['Start', 'Figures', 'End']);
  await page.getByRole('button', { name: 'Move tab right' }).click();
  await expect.poll(tabs).toEqual(['Figures', 'Start', 'End']);
  const name = page.getByRole('textbox', { name: 'Tab name' });
  await name.fill('Introduction');
  await name.press('Enter');
  await expect.poll(tabs).toEqual(['Figures', 'Introduction', 'End']);
  await expect
    .poll(() => fake.body.app)
    .toEqual({
      layout: 'tabs',
      tabs: ['Figures', 'Introduction', 'End'],
      cells: { a: { tab: 'Figures' }, intro: { tab: 'Introduction' } },
    });
});

test('[WI-397] problems of the layout are listed, and a refused change is reverted', async ({
  page,
  serve,
}) => {
  const problem = 'notebook.toml:5: app.layout must be "page", "grid", "slides" or "tabs".';
  const { fake, url } = await serve(notebook({ cells: {}, problems: [problem] }));
  await open(page, appUrl(url, '&edit=1'));
  await expect(page.getByText(problem)).toBeVisible();
  fake.answers['setAppLayout'] = refusal(409, { detail: 'The folder is held.' });
  await page.getByRole('button', { name: 'Hide north' }).click();
  await expect(page.getByText('The folder is held.')).toBeVisible();
  await expect.poll(shown(page)).toEqual(['intro', 'a', 'end', 'b']);
  await expect(page.getByRole('button', { name: 'Undo layout change' })).toBeDisabled();
});

test('[WI-394] a layout without cells says what to do', async ({ page, serve }) => {
  const hidden = { shown: false };
  const cells = { intro: hidden, a: hidden, end: hidden, b: hidden };
  const { url } = await serve(notebook({ layout: 'grid', cells }));
  await open(page, appUrl(url));
  await expect(page.getByText('This grid is empty')).toBeVisible();
});
