import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test('[ED-40] problems are marked, listed and counted; a click or a key fixes one, and z undoes the fix', async ({
  page,
  serveReal,
}) => {
  const { url } = await serveReal([
    { id: 'reads', source: 'import pandas as pd\nraw = pd.read_csv("data/trips.csv")' },
    { id: 'fine', source: 'n = 1' },
    { id: 'loops', source: '# @timeout soon\n# @worker gpu\n# @env KEY\n# @loop carry=state\nstate = n + 1' },
  ]);
  await openLive(page, url);
  const faultsOf = (id: string) => page.locator(`[data-cell-id=${id}] [data-fault]`);
  const codeOf = (id: string) => page.locator(`[data-cell-id=${id}] .code-text`);
  // The visible text; highlighted text has non-breaking spaces.
  const textOf = (id: string) => async () => (await codeOf(id).innerText()).replaceAll('\u00a0', ' ');
  await expect(faultsOf('reads')).toHaveText(/line 2.*data\/trips\.csv.*Make this a mount: trips/);
  await expect(faultsOf('fine')).toHaveCount(0);
  // Of four problems three are shown, the error first.
  await expect(faultsOf('loops')).toHaveCount(3);
  await expect(faultsOf('loops').first()).toHaveAttribute('data-fault', 'loop_missing_max_iter');
  await expect(page.locator('[data-cell-id=loops] .bar')).toContainText('4 problems');
  await expect(page.locator('[data-outline=loops]')).toContainText('4');
  await page.getByRole('button', { name: '1 more' }).click();
  await expect(faultsOf('loops')).toHaveCount(4);
  await expect(page.locator('[data-cell-id=loops] .code-fault-dot')).toHaveCount(4);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/faults.png` });
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Make this a mount: trips' }).click();
  await expect
    .poll(textOf('reads'))
    .toBe('# @mount trips file://./data/trips.csv\nimport pandas as pd\nraw = pd.read_csv(trips)');
  await expect(faultsOf('reads')).toHaveCount(0);

  // By keyboard alone: goes to the first problem, fixes it, and undoes the fix.
  await page.keyboard.press('Escape');
  await page.keyboard.press('F8');
  await expect(page.locator('.cell.focus')).toHaveAttribute('data-cell-id', 'loops');
  await expect(page.locator('.code-mark')).toHaveAttribute('data-line', '1');
  await page.keyboard.press('Control+.');
  await expect(codeOf('loops')).not.toContainText('@timeout');
  await expect(faultsOf('loops')).toHaveCount(3);
  await page.keyboard.press('z');
  await expect(codeOf('loops')).toContainText('@timeout soon');

  // In edit mode: the editor's squiggles, a message under the pointer, and the same shortcut on the caret's line.
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=loops] [data-editor=live]')).toBeVisible();
  await expect(page.locator('.squiggly-warning')).toHaveCount(3);
  await expect(page.locator('.squiggly-error')).toHaveCount(1);
  await expect(page.locator('.fault-gutter').first()).toBeVisible();
  const hover = page.getByRole('tooltip', { name: 'There is no worker "gpu"' });
  // The text may still move while the editor sets its size, and then the pointer is beside it.
  await expect(async () => {
    const worker = await page.locator('.view-line', { hasText: '@worker' }).boundingBox();
    const at = { x: (worker?.x ?? 0) + 20, y: (worker?.y ?? 0) + 10 };
    await page.mouse.move(0, 0);
    await page.mouse.move(at.x, at.y);
    await page.mouse.move(at.x + 10, at.y, { steps: 5 });
    await expect(hover).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(hover).toContainText('Quick Fix');
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/faults-editing.png` });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+.');
  await expect(page.locator('[data-cell-id=loops] .view-lines')).not.toContainText('@worker');
  await page.keyboard.press('Escape');
  await expect.poll(textOf('loops')).toBe('# @timeout soon\n# @env KEY\n# @loop carry=state\nstate = n + 1');
  if (SHOTS === undefined) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${SHOTS}/faults-dark.png` });
  await page.setViewportSize({ width: 900, height: 700 });
  await page.screenshot({ path: `${SHOTS}/faults-dark-900.png` });
});
