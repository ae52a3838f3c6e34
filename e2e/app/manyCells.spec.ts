/** A notebook of 5,000 cells on a real server: opening, scrolling and editing stay fast. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import { editCell, statusOf, test } from '../support/realServerFixture.ts';

// A trace copies the whole page at each step, which would take most of the time with five thousand cells.
test.use({ trace: 'off' });

test(
  '[WI-84] a notebook of five thousand cells opens within seconds, can be scrolled to the end and edited there',
  longOnly('e2e/app/fiveHundredCells.spec.ts', 'e2e/app/longNotebook.spec.ts'),
  async ({ page, serveReal }) => {
    const count = 5_000;
    const { url, dir } = await serveReal(
      Array.from({ length: count }, (_none, at) =>
        at % 10 === 0
          ? { id: `c${at}`, source: `# Part ${at}\n\nWhat *follows* is about ${at}.`, language: 'markdown' }
          : { id: `c${at}`, source: at < 2 ? 'v1 = 1' : `v${at} = v${at % 10 === 1 ? at - 2 : at - 1} + 1` },
      ),
    );
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url);
    await expect(page.locator('[data-cell-id]')).toHaveCount(count);
    await expect(page.locator('.cells')).toHaveAttribute('aria-busy', 'false');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const busySeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    // One jump reaches the end of the page, because the heights of all cells above are known.
    await page.locator('[data-scroll-root]').evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    const last = page.locator(`[data-cell-id=c${count - 1}]`);
    await expect(last).toBeInViewport();
    await editCell(page, `c${count - 1}`, 'v_end = 12');
    await expect.poll(() => readFile(join(dir, `cells/c${count - 1}.py`), 'utf8')).toBe('v_end = 12');
    await expect(last).toBeInViewport();
    await last.getByRole('button', { name: /^Run cell/ }).click();
    await expect(statusOf(page, `c${count - 1}`)).toHaveAttribute('data-status', 'ready');
    console.log(`${count} cells kept the page's own thread busy for ${Math.round(busySeconds * 1_000)} ms`);
  },
);
