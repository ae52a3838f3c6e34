/** Loop cells in a browser, against a real server: progress, stopping, inspecting and resuming iterations. */

import { expect } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

const HELD = [
  '# @loop max_iter=100 carry=x',
  '# @loop_until x > 50',
  'import time',
  'x = x + 1',
  'print("now", x)',
  // The third iteration runs until it is stopped.
  'time.sleep(600 if x == 4 else 0)',
  '{"x": x}',
].join('\n');

test('[LO-9] a loop shows its progress, and can be stopped, inspected and resumed', async ({
  page,
  serveReal,
}) => {
  const { url } = await serveReal([
    { id: 'seed', source: 'x = 1' },
    { id: 'loop', source: HELD },
  ]);
  await openLive(page, url);
  const cell = page.locator('[data-cell-id=loop]');
  const strip = cell.getByRole('region', { name: 'Iterations of x' });
  await cell.locator('.bar').click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Run all 2' }).click();

  await expect(cell.locator('.bar')).toContainText('2 of at most 100');
  await expect(strip.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '2');
  await expect(page.locator('[data-outline=loop]')).toContainText('2/100');
  await expect(cell).toContainText('now 2');

  // While the loop runs, the newest finished iteration is shown; keys select others.
  await cell.locator('.bar').click();
  await page.keyboard.press('Shift+o');
  const iteration = strip.locator('[data-iteration]');
  await expect(iteration).toHaveAttribute('data-iteration', '1');
  await expect(iteration).toContainText('x after this iteration');
  await expect(iteration).toContainText('now 3');
  await strip.getByRole('slider', { name: 'Iteration' }).press('ArrowLeft');
  await expect(iteration).toHaveAttribute('data-iteration', '0');
  await expect(iteration).toContainText('now 2');
  await expect(strip).toContainText('Iteration 0 (0 to 1)');

  await cell.getByRole('button', { name: /^Stop/ }).click();
  await expect(statusOf(page, 'loop')).toHaveAttribute('data-status', 'idle');
  await expect(strip.getByRole('progressbar')).toHaveCount(0);
  await strip.getByRole('button', { name: 'Next iteration' }).click();
  await expect(iteration).toHaveAttribute('data-iteration', '1');
  await expectAccessible(page);

  await strip.getByRole('button', { name: 'Continue from here in a new cell' }).click();
  const next = page.locator('[data-cell-id]').nth(2);
  await expect(next).toContainText('# @loop max_iter=100 carry=x start_from=loop@iter=1');
  await expect(next).toContainText('# @loop_until x > 50');
});

test(
  '[LO-9] a loop that has ended shows its last iteration, and the output of each iteration on request',
  longOnly('e2e/contract/loops.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal([
      { id: 'seed', source: 'x = 1' },
      { id: 'loop', source: '# @loop max_iter=9 carry=x until=x>20\nx = x * 3\n{"x is": x}' },
    ]);
    await openLive(page, url);
    await page.keyboard.press('Control+Shift+Enter');
    await expect(statusOf(page, 'loop')).toHaveAttribute('data-status', 'ready');
    const cell = page.locator('[data-cell-id=loop]');
    await cell.getByRole('button', { name: 'Iterations of x' }).click();
    const iteration = cell.locator('[data-iteration]');
    await expect(iteration).toHaveAttribute('data-iteration', '2');
    await expect(iteration).toContainText('stop condition met');
    await cell.getByRole('button', { name: 'Previous iteration' }).click();
    await expect(iteration).toHaveAttribute('data-iteration', '1');
    await expect(iteration).toContainText('Output');
    await expect(iteration).toContainText('9');
    await cell.getByRole('button', { name: 'Iterations of x' }).click();
    await expect(iteration).toHaveCount(0);
  },
);
