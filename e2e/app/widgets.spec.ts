/**
 * Widget cells, the app view and an embedded app in a browser: controls run the cells that read them. Against a real
 * server.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { openLive, type ServedNotebook, test } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';

const CONTROLS = [
  '# @name controls',
  '# @live',
  'alpha = slider(0, 1, default=0.5, label="Share")',
  'n = number(10, min=0, max=20)',
  "kind = dropdown(['a', 'b', ''])",
  'on = checkbox()',
  'note = text("hi")',
].join('\n');
const CELLS: readonly CellText[] = [
  { id: 'w', source: CONTROLS, language: 'widget' },
  { id: 'share', source: '# @name share\nf"share {alpha}"' },
  { id: 'other', source: '# @name other\nimport time\nf"{n} {kind} {on} {note} {time.time_ns()}"' },
  { id: 'secret', source: '# @app hide\n"not for readers"' },
  { id: 'text', source: '# Read me\n\nSome **text**.', language: 'markdown' },
];

/** Runs the cells with a display and the cells that they read. */
async function runAll({ server, sessionId }: ServedNotebook): Promise<void> {
  for (const id of ['share', 'other', 'secret']) {
    const path = `/v1/notebooks/${sessionId}/cells/${id}/execute`;
    expect((await rest(server.url, 'POST', path)).status).toBe(200);
  }
}

const appUrl = (url: string, embed = false) =>
  `${url.replace('#/notebook/', '#/app/')}${embed ? '&embed=1' : ''}`;

test('[WG-16] [WG-10] a slider is dragged, typed into and moved by keyboard, and only its readers run', async ({
  page,
  serveReal,
}) => {
  const served = await serveReal(CELLS);
  const { url } = served;
  await runAll(served);
  await openLive(page, url);
  const share = page.locator('[data-results=share]');
  const other = page.locator('[data-results=other]');
  await expect(share).toContainText('share 0.5');
  await expect(other).toContainText('10 a False hi');
  const before = await other.textContent();
  const slider = page.getByRole('slider', { name: 'Share' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveValue('0.51');
  await expect(share).toContainText('share 0.51');
  await page.keyboard.press('End');
  await expect(share).toContainText('share 1.0');
  const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
  await page.mouse.down();
  for (let at = 20; at >= 5; at -= 1) {
    await page.mouse.move(box.x + 8 + ((box.width - 16) * at) / 20, box.y + box.height / 2);
  }
  await page.mouse.up();
  await expect(slider).toHaveValue('0.25');
  await expect(share).toContainText('share 0.25');
  await expect(page.locator('[data-cell-id=share]')).toHaveAttribute('data-status', 'ready');
  expect(await other.textContent()).toBe(before);
  const field = page.getByRole('textbox', { name: 'Share' });
  await field.fill('7');
  await expect(page.getByText('From 0 to 1')).toBeVisible();
  await field.press('Enter');
  await expect(share).toContainText('share 1.0');
});

test(
  '[WG-16] every kind of control runs its readers, and another window is updated',
  longOnly('e2e/contract/widgets.test.ts', 'e2e/app/widgets.spec.ts'),
  async ({ page, context, serveReal }) => {
    // Two windows take longer.
    test.slow();
    const served = await serveReal(CELLS);
    const { url } = served;
    await runAll(served);
    await openLive(page, url);
    const other = page.locator('[data-results=other]');
    await expect(other).toContainText('10 a False hi');
    const second = await context.newPage();
    await openLive(second, url);
    await page.getByRole('textbox', { name: 'n', exact: true }).fill('12');
    await page.getByRole('combobox', { name: 'kind' }).click();
    await page.getByRole('option', { name: '""' }).click();
    await page.getByRole('switch', { name: 'on' }).click();
    await page.getByRole('textbox', { name: 'note' }).fill('ho');
    await expect(other).toContainText('12  True ho');
    await expect(second.getByRole('textbox', { name: 'note' })).toHaveValue('ho');
    await expect(second.getByRole('switch', { name: 'on' })).toBeChecked();
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'n', exact: true })).toHaveValue('12');
    await expectAccessible(page);
  },
);

test(
  '[WG-17] the declarations are behind the controls; errors in them are shown',
  longOnly('e2e/contract/widgets.test.ts'),
  async ({ page, serveReal }) => {
    const served = await serveReal(CELLS);
    const { url } = served;
    await runAll(served);
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=w]');
    await expect(cell.locator('.code-text')).toHaveCount(0);
    await cell.getByRole('button', { name: 'Edit declarations' }).click();
    await expect(cell.locator('[data-editor]')).toBeVisible();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('beta = slider(5, 1)\ngamma = slyder(0, 1)');
    await expect(cell.getByRole('slider', { name: 'beta' })).toBeDisabled();
    await expect(cell.getByText('the first value must be smaller')).toBeVisible();
    await expect(cell.getByText('is not a control')).toBeVisible();
    await page.keyboard.press('Escape');
    await cell.getByRole('switch', { name: 'Live' }).click();
    await cell.getByRole('button', { name: 'Edit declarations' }).click();
    await expect(cell.locator('[data-editor]')).toContainText('# @live');
  },
);

test('[WG-18] the app view shows controls, text and displays, but no code and no hidden cells', async ({
  page,
  serveReal,
}) => {
  const served = await serveReal(CELLS);
  const { url } = served;
  await runAll(served);
  await openLive(page, url);
  await expect(page.locator('[data-results=other]')).toContainText('10 a False hi');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: /^App view/ }).click();
  await expect(page.locator('[data-app-cell]')).toHaveCount(4);
  await expect(page.getByRole('heading', { name: 'Read me' })).toBeVisible();
  await expect(page.getByText('not for readers')).toHaveCount(0);
  await expect(page.getByText('alpha = slider')).toHaveCount(0);
  await page.getByRole('slider', { name: 'Share' }).fill('0.75');
  await expect(page.locator('[data-app-cell=share]')).toContainText('share 0.75');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Edit notebook' }).click();
  await expect(page.locator('[data-cell-id=share]')).toHaveAttribute('data-status', 'ready');
});

test('[WG-19] an embedded app has no toolbar, and reports its height to the page around it', async ({
  page,
  serveReal,
}) => {
  const served = await serveReal(CELLS, { server: { env: { SVC_EMBED_FRAME_ANCESTORS: '*' } } });
  const { url, sessionId } = served;
  await runAll(served);
  await openLive(page, url);
  await expect(page.locator('[data-results=other]')).toContainText('10 a False hi');
  const frame = appUrl(url, true).replaceAll('&', '&amp;');
  const host = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script>
      window.sizes = [];
      addEventListener('message', (event) => {
        sizes.push(event.data);
        document.querySelector('iframe').height = event.data.height;
      });
    </script><iframe width="700" height="50" src="${frame}"></iframe>`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    const inner = page.frameLocator('iframe');
    await expect(inner.getByRole('slider', { name: 'Share' })).toBeVisible();
    await expect(inner.getByRole('link', { name: 'Edit notebook' })).toHaveCount(0);
    await expect(inner.locator('header')).toHaveCount(0);
    const lastMessage = () => page.evaluate(() => (window as unknown as { sizes: unknown[] }).sizes.at(-1));
    await expect.poll(lastMessage).toMatchObject({ type: 'svc:embed:resize', sessionId });
    const height = async () =>
      page.evaluate(() => {
        const root = document.querySelector('iframe');
        return root === null ? 0 : Number(root.height);
      });
    await expect.poll(height).toBeGreaterThan(200);
    await inner.getByRole('slider', { name: 'Share' }).fill('0.75');
    await expect(inner.locator('[data-app-cell=share]')).toContainText('share 0.75');
  } finally {
    host.close();
  }
});
