import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { processesOf, SEES_PROCESSES, treeOf } from '../hostile/outsideChecks.ts';
import { CELL, placeStranger, STRANGER_FOLDERS } from '../hostile/strangerFolders.ts';
import { choose, expect, menu, serverOf, statusOf, test } from './desktopApp.ts';

/** A normal run uses every third folder, which includes each kind; `npm run test:long` uses all. */
const EVERY = process.env['LONG'] === '1' ? 1 : 3;
const FOLDERS = STRANGER_FOLDERS.filter((_, at) => at % EVERY === 0);

/** Returns to the list of notebooks, so that the next folder is opened from there, as by a user. */
async function showList(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/';
  });
  await expect(page.locator('[data-cell-id]')).toHaveCount(0);
}

test('[SG-20] [SG-21] [DK-24] viewing folders of strangers in the app changes no byte, starts no process and sends nothing', async ({
  person,
  start,
}) => {
  test.setTimeout(60_000 + FOLDERS.length * 10_000);
  const requests: string[] = [];
  const network = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200).end('{}');
  });
  network.on('connection', () => requests.push('a connection'));
  await new Promise<void>((ready) => network.listen(0, '127.0.0.1', ready));
  const listener = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;

  const { app, page } = await start();
  const { pid } = serverOf(person);
  const processes = SEES_PROCESSES ? processesOf(pid) : '';
  for (const [at, { name, make }] of FOLDERS.entries()) {
    await test.step(name, async () => {
      const place = join(person.home, 'strangers', String(at));
      const { dir } = placeStranger(place, make, listener);
      const before = treeOf(place);
      await choose(app, dir);
      await menu(app, 'openNotebook');
      const cell = page.locator('[data-cell-id]').first();
      const refusal = page.getByRole('alert');
      await expect(cell.or(refusal).first()).toBeVisible();
      if (await cell.isVisible()) {
        await expect(page.locator('[data-untrusted]')).toBeVisible();
        expect(treeOf(place), 'opened').toEqual(before);
        await menu(app, 'run.all');
        await expect(page.locator('.notice', { has: page.locator('[data-untrusted]') })).toHaveAttribute(
          'role',
          'alert',
        );
        if ((await page.locator(`[data-cell-id=${CELL}]`).count()) > 0)
          await expect(statusOf(page, CELL)).toHaveAttribute('data-status', 'idle');
      }
      expect(treeOf(place)).toEqual(before);
      await showList(page);
    });
  }
  if (SEES_PROCESSES) expect(processesOf(pid)).toBe(processes);
  expect(requests).toEqual([]);
  network.close();
});
