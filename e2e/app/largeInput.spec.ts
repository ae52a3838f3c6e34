import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Starts a measurement; the returned function returns the longest time that the main thread was blocked, in ms. */
async function watchHolds(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Reflect.set(window, 'longestHold', 0);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        Reflect.set(window, 'longestHold', Math.max(duration, Reflect.get(window, 'longestHold') as number));
      }
    }).observe({ entryTypes: ['longtask'] });
  });
  return () => page.evaluate(() => Reflect.get(window, 'longestHold') as number);
}

async function run(page: Page, cellId: string): Promise<void> {
  await page
    .locator(`[data-cell-id=${cellId}]`)
    .getByRole('button', { name: /^Run cell/ })
    .click();
  await expect(statusOf(page, cellId)).toHaveAttribute('data-status', 'ready', { timeout: 90_000 });
}

test(
  '[WI-83] a cell of ten megabytes is reported and not changed; the others work',
  longOnly('src-main/notebook/notebookFiles.test.ts', 'src-renderer/notebook/editing.test.tsx'),
  async ({ page, serveReal }) => {
    const huge = `text = "${'x'.repeat(10_000_000)}"`;
    const { url, dir } = await serveReal([
      { id: 'huge', source: huge },
      { id: 'small', source: 'n = 1' },
    ]);
    await openLive(page, url);
    await expect(page.locator('[data-cell-id=huge]')).toContainText(
      'is 10,000,009 bytes long, and a cell can have at most 1,000,000 characters: split it',
    );
    await run(page, 'small');
    await editCell(page, 'small', 'n = 2');
    await expect.poll(() => readFile(join(dir, 'cells/small.py'), 'utf8')).toBe('n = 2');
    expect((await readFile(join(dir, 'cells/huge.py'), 'utf8')).length).toBe(huge.length);
  },
);

test(
  '[WI-83] two megabytes pasted into a cell are refused with a message, stay in the cell, and can be shortened',
  longOnly('src-renderer/live/edits.test.ts', 'src-renderer/panels/workbench.test.tsx'),
  async ({ page, serveReal, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { url, dir } = await serveReal([{ id: 'one', source: 'n = 1' }]);
    await openLive(page, url);
    await editCell(page, 'one', 'n = 3');
    await expect.poll(() => readFile(join(dir, 'cells/one.py'), 'utf8')).toBe('n = 3');
    await page.evaluate(() => navigator.clipboard.writeText(`# ${'y'.repeat(50)}\n`.repeat(40_000)));
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+V');
    const note = page.locator('[data-conflict=one]');
    await expect(note).toContainText(
      /has 2,[0-9]{3},[0-9]{3} characters, and a cell can have at most 1,000,000/,
    );
    expect(await readFile(join(dir, 'cells/one.py'), 'utf8')).toBe('n = 3');
    await note.getByRole('button', { name: 'Revert to saved text' }).click();
    await expect(note).toHaveCount(0);
    await expect(page.locator('[data-cell-id=one]')).toContainText('n = 3');
  },
);

// A separate page, so that its memory is not shared with other tests.
test.use({ newPage: true });

test(
  '[WI-85] of two hundred megabytes of output the end is shown and the log has the rest; the window stays usable',
  longOnly('e2e/app/console.spec.ts'),
  async ({ page, serveReal }) => {
    const source = [
      'import sys',
      'line = "x" * 99 + "\\n"',
      'for at in range(200):',
      '    sys.stdout.write(line * 10_000)',
      'print("the very end")',
    ].join('\n');
    const { url } = await serveReal([
      { id: 'flood', source },
      { id: 'next', source: 'print("still here")' },
    ]);
    await openLive(page, url);
    await run(page, 'flood');
    await expect(page.locator('[data-cell-id=flood]')).toContainText('the very end');
    // Only visible lines are rendered; the note about omitted lines is in the place of those.
    await page.locator('[data-cell-id=flood] .console-box').evaluate((box) => {
      box.scrollTop = 0;
    });
    await expect(page.locator('[data-cell-id=flood]')).toContainText(/earlier output left out/);
    await run(page, 'next');
    await expect(page.locator('[data-cell-id=next]')).toContainText('still here');
    const heap = await page.evaluate(
      () => (Reflect.get(performance, 'memory') as { usedJSHeapSize: number }).usedJSHeapSize,
    );
    expect(heap).toBeLessThan(150 * 1024 * 1024);
  },
);

/** Values of 200 MB as each kind of output, and the message that is shown instead. */
const VALUES: readonly { readonly name: string; readonly source: string; readonly says: RegExp }[] = [
  { name: 'text', source: '"x" * 200_000_000', says: /MB|characters|…/ },
  {
    name: 'HTML',
    source:
      'class Big:\n    def _repr_html_(self):\n        return "<p>" + "x" * 200_000_000 + "</p>"\nBig()',
    says: /MB/,
  },
  { name: 'Markdown', source: 'Markdown("x" * 200_000_000)', says: /MB/ },
  { name: 'JSON', source: '[{"a": "x" * 1_000} for _ in range(190_000)]', says: /MB|…/ },
];
test(
  '[WI-85] a value of two hundred megabytes is not loaded into the page without confirmation',
  longOnly('e2e/app/outputs.spec.ts'),
  async ({ page, serveReal }) => {
    test.setTimeout(300_000);
    const big = VALUES.map(({ source }, at) => ({ id: `big${at}`, source }));
    const { url } = await serveReal([...big, { id: 'next', source: 'print("still here")' }]);
    await openLive(page, url);
    const longest = await watchHolds(page);
    for (const [at, { name, says }] of VALUES.entries()) {
      await test.step(name, async () => {
        const id = `big${at}`;
        await page
          .locator(`[data-cell-id=${id}]`)
          .getByRole('button', { name: /^Run cell/ })
          .click();
        await expect(statusOf(page, id)).not.toHaveAttribute('data-status', /idle|running/, {
          timeout: 120_000,
        });
        await expect(page.locator(`[data-results=${id}]`)).toContainText(says);
        await run(page, 'next');
        await expect(page.locator('[data-cell-id=next]')).toContainText('still here');
        const size = await page.evaluate(() => document.documentElement.textContent?.length ?? 0);
        expect(size).toBeLessThan(5_000_000);
        console.log(`200 MB of ${name}: the page was held for at most ${Math.round(await longest())} ms`);
      });
    }
  },
);
