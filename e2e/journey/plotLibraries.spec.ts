import { expect, type Locator, type Page } from '@playwright/test';
import { copyExample } from '../support/copyExample.ts';
import { GALLERY_ROWS, type GalleryRow } from '../support/plotLibraries.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Folder for screenshots, to inspect a run by hand; unset: none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
/** A copy of the example that has run, to look at its pictures once more; unset: a new one, which runs first. */
const KEPT = process.env['CELLAR_TEST_GALLERY'];
/** Installing 38 libraries and running their cells takes minutes. */
const RUN_LIMIT_MS = 1_800_000;

/** What a screenshot has: the number of its colours, and the share of its points that are nearly white. */
interface Seen {
  readonly colors: number;
  readonly white: number;
}

function lookAt(page: Page, png: Buffer): Promise<Seen> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set<number>();
    let white = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      colors.add(((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4));
      if (red > 235 && green > 235 && blue > 235) white += 1;
    }
    return { colors: colors.size, white: white / (data.length / 4) };
  }, png.toString('base64'));
}

function placeOf(results: Locator, row: GalleryRow): Locator {
  if (row.in === 'page') return results.locator(row.draws).first();
  const frame = results.frameLocator('iframe.output-frame').first();
  return (row.in === 'inner' ? frame.frameLocator('iframe') : frame).locator(row.draws).first();
}

test('[VA-90] [WG-61] every library of the gallery is drawn in both themes, and no request leaves', async ({
  page,
  serveReal,
}) => {
  test.skip(process.env['LONG'] !== '1' && KEPT === undefined, 'installs 38 libraries: npm run test:long');
  test.setTimeout(2 * RUN_LIMIT_MS);
  const { url } = await serveReal([], {
    server: KEPT === undefined ? {} : { grants: [KEPT] },
    folder: async (root) => KEPT ?? (await copyExample('gallery', root)),
  });
  const { origin } = new URL(url);
  const faults: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) faults.push(line.text());
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!/^(data|blob):/.test(address) && new URL(address).origin !== origin) faults.push(address);
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await openLive(page, url);
  await page.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
  const last = GALLERY_ROWS.at(-1)?.id ?? '';
  await expect(statusOf(page, last)).toHaveAttribute('data-status', 'ready', { timeout: RUN_LIMIT_MS });

  for (const row of GALLERY_ROWS) {
    await test.step(row.id, async () => {
      await page.locator(`[data-cell-id=${row.id}]`).scrollIntoViewIfNeeded();
      const results = page.locator(`[data-results=${row.id}]`);
      await expect.soft(results, row.id).toBeVisible();
      // A cell that failed, or one below it, has nothing to look at: the others are still looked at.
      if ((await results.count()) === 0) return;
      await results.scrollIntoViewIfNeeded();
      await expect.soft(placeOf(results, row), row.id).toBeVisible();
      // At most four cells of a notebook have live widgets: the others say that they show their last state.
      const notice = results.locator('.output-lacks').filter({ hasNotText: 'Last state of this widget' });
      if (row.needs === undefined) await expect.soft(notice, row.id).toHaveCount(0);
      else await expect.soft(notice.first(), row.id).toHaveText(row.needs);
      for (const colorScheme of ['light', 'dark'] as const) {
        const isDark = colorScheme === 'dark';
        // Chromium's emulation of the setting sometimes reports no change to a page with many frames.
        await expect(async () => {
          await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
          await page.emulateMedia({ colorScheme });
          await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme, { timeout: 5_000 });
        }).toPass();
        // Colours change a moment later, and some libraries draw in steps.
        const look = async (): Promise<string> => {
          const shot = await results.screenshot(
            SHOTS === undefined ? {} : { path: `${SHOTS}/${row.id}-${colorScheme}.png` },
          );
          const { colors, white } = await lookAt(page, shot);
          if (colors < 4) return 'nothing is drawn';
          return isDark && row.isLight !== true && white > 0.3 ? 'a white box in the dark theme' : '';
        };
        await expect.poll(look, { message: `${row.id}, ${colorScheme}` }).toBe('');
      }
      await page.emulateMedia({ colorScheme: 'light' });
    });
  }

  // [WG-61]: a change of a control reaches Python, and what that changes in the figure comes back.
  await page.locator('[data-cell-id=figure_widget] .bar').click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Control+Enter');
  const live = page.locator('[data-results=figure_widget]').frameLocator('iframe.output-frame').first();
  const bar = live.locator('.bars path').first();
  await expect(page.locator('[data-results=figure_widget] [role=status]')).toHaveCount(0);
  const before = await bar.getAttribute('d');
  await expect(async () => {
    await live.locator('.noUi-handle').press('End', { timeout: 10_000 });
    await expect(bar).not.toHaveAttribute('d', before ?? '', { timeout: 5_000 });
  }).toPass();
  expect(faults).toEqual([]);
});
