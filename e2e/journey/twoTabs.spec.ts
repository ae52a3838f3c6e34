import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import { pressSequence } from '../support/keys.ts';
import { longOnly } from '../support/longOnly.ts';
import { enterCell, openLive, statusOf, test } from '../support/realServerFixture.ts';

/** The types of the frames that a page sends, in order. */
function sentFrames(page: Page): string[] {
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      sent.push(String((JSON.parse(String(payload)) as { type: unknown }).type));
    });
  });
  return sent;
}

const syncs = (sent: readonly string[]): number => sent.filter((type) => type === 'notebook_sync').length;

async function edit(page: Page, cellId: string, text: string): Promise<void> {
  await page.locator(`[data-cell-id=${cellId}] .code`).click();
  await expect(page.locator(`[data-cell-id=${cellId}] [data-editor=live]`)).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.keyboard.press('Escape');
}

test(
  '[LP-11] two tabs stay in sync, and neither has to request the complete state again',
  longOnly(
    'e2e/simulation/simulation.test.ts',
    'src-main/server/live/live.test.ts',
    'src-renderer/panels/connection.test.tsx',
  ),
  async ({ page, context, serveReal }) => {
    const { url } = await serveReal([
      { id: 'one', source: 'n = 1' },
      { id: 'two', source: 'print("n is", n)' },
    ]);
    const other = await context.newPage();
    const [here, there] = [sentFrames(page), sentFrames(other)];
    await openLive(page, url);
    await openLive(other, url);

    // An edit is sent to its sender and to the others in separate frames, so each tab misses some sequence numbers.
    await edit(page, 'one', 'n = 20');
    await expect(other.locator('[data-cell-id=one]')).toContainText('n = 20');
    await edit(other, 'one', 'n = 21');
    await expect(page.locator('[data-cell-id=one]')).toContainText('n = 21');

    // The prompt of a cascade is shown in the tab that was clicked.
    await other.getByRole('button', { name: /^Run cell: cell 2/ }).click();
    await other.getByRole('dialog').getByRole('button').first().click();
    for (const tab of [page, other]) {
      await expect(statusOf(tab, 'two')).toHaveAttribute('data-status', 'ready');
      await expect(tab.locator('[data-cell-id=two] .console')).toContainText('n is 21');
    }
    await edit(page, 'one', 'n = 22');
    await expect(statusOf(other, 'two')).toHaveAttribute('data-status', 'stale');
    await other.reload();
    await expect(statusOf(other, 'two')).toHaveAttribute('data-status', 'stale');
    // If a frame were missing, the next frame would make the tab request the state.
    await edit(other, 'one', '# @name start\nn = 23');
    await expect(page.locator('[data-cell-id=one]')).toContainText('n = 23');
    for (const tab of [page, other]) {
      await expect(tab.locator('[data-cell-id=one] .cell-name')).toHaveText('start');
    }
    expect({ here: syncs(here), there: syncs(there) }).toEqual({ here: 1, there: 2 });
  },
);

test(
  '[ED-65] a text typed while another tab deletes its cell is put into a new cell',
  longOnly('src-renderer/notebook/orphanTexts.test.tsx', 'src-main/session/effects/sourceWrites.test.ts'),
  async ({ page, context, serveReal }) => {
    const { url } = await serveReal([
      { id: 'one', source: 'n = 1' },
      { id: 'two', source: 'm = 2' },
    ]);
    await openLive(page, url);
    const other = await context.newPage();
    let isCut = false;
    const wires: WebSocketRoute[] = [];
    await other.routeWebSocket(/\/ws\//, (wire) => {
      if (isCut) void wire.close();
      else wires.push(wire, wire.connectToServer());
    });
    await openLive(other, url);
    isCut = true;
    for (const wire of wires) await wire.close();
    await expect(other.locator('[data-link=live]')).toHaveCount(0);
    await enterCell(other, 'two');
    await other.keyboard.press('Control+End');
    await other.keyboard.type(' + 3  # precious');
    await page.bringToFront();
    await page.locator('[data-cell-id=two]').click({ position: { x: 300, y: 12 } });
    await page.keyboard.press('Escape');
    await pressSequence(page, 'd', 'd');
    await expect(page.locator('[data-cell-id=two]')).toHaveCount(0);
    isCut = false;
    // The browser's event for a restored network; the page may already have reconnected.
    await other.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(other.getByText('Your text is in a new cell').first()).toBeVisible();
    for (const tab of [page, other]) {
      await expect(tab.locator('[data-cell-id]')).toHaveCount(2);
      await expect(tab.locator('[data-cell-id]').last()).toContainText('m = 2 + 3  # precious');
    }
  },
);

test(
  '[ED-65] a text whose cell was deleted is preserved if no new cell can be made for it',
  longOnly('src-renderer/notebook/orphanTexts.test.tsx', 'src-main/session/effects/sourceWrites.test.ts'),
  async ({ page, context, serveReal }) => {
    const { url } = await serveReal([
      { id: 'one', source: 'n = 1' },
      { id: 'two', source: 'm = 2' },
    ]);
    await openLive(page, url);
    const other = await context.newPage();
    let refuses = true;
    await other.route(/\/cells$/, async (route) => {
      if (route.request().method() !== 'POST' || !refuses) return route.continue();
      await route.fulfill({ status: 409, json: { error: 'There are too many cells.', code: 'bad_request' } });
    });
    await openLive(other, url);
    await enterCell(other, 'two');
    await other.keyboard.press('Control+End');
    await other.keyboard.type(' + 3');
    await page.bringToFront();
    const mark = page.locator('[data-cell-id=two]');
    await mark.click({ position: { x: 300, y: 12 } });
    await page.keyboard.press('Escape');
    await expect(mark).toContainText('m = 2 + 3');
    await other.keyboard.type('  # precious');
    await pressSequence(page, 'd', 'd');
    await expect(other.locator('[data-orphan=two]')).toContainText('was deleted elsewhere');
    await expect(other.getByText('There are too many cells.')).toBeVisible();
    // Keys typed afterwards are not treated as commands.
    await other.keyboard.type('add');
    await expect(other.locator('[data-cell-id]')).toHaveCount(1);
    refuses = false;
    await other.getByRole('button', { name: 'Move to new cell' }).click();
    await expect(other.locator('[data-orphan]')).toHaveCount(0);
    for (const tab of [page, other]) {
      await expect(tab.locator('[data-cell-id]')).toHaveCount(2);
      await expect(tab.locator('[data-cell-id]').last()).toContainText('m = 2 + 3  # precious');
    }
    await expect(other.locator('[data-saved=true]')).toHaveCount(1);
    await other.keyboard.press('Control+End');
    await other.keyboard.type(' and more');
    await expect(page.locator('[data-cell-id]').last()).toContainText('# precious and more');
  },
);
