/**
 * Tests the gallery example with 38 plot libraries in a browser, with a real server: each figure is drawn in both
 * themes, and no request goes to another machine. Only with LONG=1.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { copyExample } from '../support/copyExample.ts';
import { GALLERY_GROUPS, type GalleryRow } from '../support/plotLibraries.ts';
import {
  openLive,
  type ServedNotebook,
  type ServeOptions,
  statusOf,
  test,
} from '../support/realServerFixture.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
/** A copy of the example that has already run; if unset, the test copies and runs the example first. */
const KEPT = process.env['CELLAR_TEST_GALLERY'];
/** Installing 38 libraries and running their cells takes minutes. */
const RUN_LIMIT_MS = 1_800_000;
/** A group has several cells, each checked in two themes. */
const GROUP_LIMIT_MS = 600_000;

/** The number of colours in a screenshot, and the share of its pixels that are nearly white. */
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

/** The folder of a gallery whose cells have run. */
let gallery = '';

// All groups run one after another in one process, so that the gallery is installed and run only once.
test.describe.configure({ mode: 'default' });
test.skip(process.env['LONG'] !== '1' && KEPT === undefined, 'installs 38 libraries: npm run test:long');

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured first argument
test.beforeAll(async ({}, info) => {
  info.setTimeout(RUN_LIMIT_MS);
  gallery =
    KEPT ?? (await copyExample('gallery', await realpath(await mkdtemp(join(tmpdir(), 'cellar-gallery-')))));
  const { code, stdout, stderr } = await svc(['run', gallery, '--format', 'json']);
  if (code === 0) return;
  const report: RunReport = JSON.parse(stdout);
  throw new Error(JSON.stringify(report.cells.filter(({ status }) => status !== 'ok')) + stderr);
});

test.afterAll(async () => {
  if (KEPT === undefined && gallery !== '') await rm(dirname(gallery), { recursive: true, force: true });
});

type Serve = (cells: readonly [], options?: ServeOptions) => Promise<ServedNotebook>;

/** Opens the gallery in the light theme and waits until a cell has its result. */
async function openGallery(page: Page, serveReal: Serve, cellId: string): Promise<void> {
  const { url } = await serveReal([], {
    server: { grants: [dirname(gallery)] },
    folder: () => Promise.resolve(gallery),
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await openLive(page, url);
  await page.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
  await expect(statusOf(page, cellId)).toHaveAttribute('data-status', 'ready', { timeout: RUN_LIMIT_MS });
}

/** @returns a list to which requests to other machines and violations of the content policy are added */
function listenForFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) faults.push(line.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!/^(data|blob):$/.test(protocol) && hostname !== '127.0.0.1') faults.push(request.url());
  });
  return faults;
}

async function checkInBothThemes(page: Page, row: GalleryRow): Promise<void> {
  await page.locator(`[data-cell-id=${row.id}]`).scrollIntoViewIfNeeded();
  const results = page.locator(`[data-results=${row.id}]`);
  await expect(results).toBeVisible();
  await results.scrollIntoViewIfNeeded();
  await expect.soft(placeOf(results, row), row.id).toBeVisible();
  // Only a limited number of cells have live widgets; the others show a notice and their last state.
  const notice = results
    .locator('.output-lacks')
    .filter({ hasNotText: /^(Last state of this widget|At most \d+ cells|The memory of this machine)/ });
  if (row.needs === undefined) await expect.soft(notice, row.id).toHaveCount(0);
  else await expect.soft(notice.first(), row.id).toHaveText(row.needs);
  for (const colorScheme of ['light', 'dark'] as const) {
    const isDark = colorScheme === 'dark';
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    // Colours change with a delay, and some libraries draw in steps.
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
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
}

for (const [name, rows] of Object.entries(GALLERY_GROUPS)) {
  test(`[VA-90] [WI-406] ${name} are drawn in both themes, and no request goes to another machine`, async ({
    page,
    serveReal,
  }) => {
    test.setTimeout(GROUP_LIMIT_MS);
    const faults = listenForFaults(page);
    await openGallery(page, serveReal, rows.at(-1)?.id ?? '');
    for (const row of rows) await test.step(row.id, () => checkInBothThemes(page, row));
    expect(faults).toEqual([]);
  });
}

test('[WG-61] a control of a FigureWidget changes the figure through Python', async ({ page, serveReal }) => {
  test.setTimeout(GROUP_LIMIT_MS);
  await openGallery(page, serveReal, 'figure_widget');
  const results = page.locator('[data-results=figure_widget]');
  await results.scrollIntoViewIfNeeded();
  // The widget is not live yet: its result was stored, or four other cells have live widgets.
  await results.getByRole('button', { name: 'Run to make it live' }).click();
  const live = results.frameLocator('iframe.output-frame').first();
  // Larger bars change the labels of the axis, not the shapes of the bars.
  const highest = live.locator('.ytick text').last();
  await expect(results.getByRole('status')).toHaveCount(0);
  await expect(highest).toHaveText('3');
  await live.locator('.noUi-handle').press('End');
  await expect(highest).toHaveText('15');
});
