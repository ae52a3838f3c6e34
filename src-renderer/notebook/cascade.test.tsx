/**
 * The prompt for a run that needs other cells first, in the whole window against a fake server: its list,
 * cost and answers.
 */

import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const prompt = {
  cell_id: 'fit',
  plan_id: 'plan0001',
  cells_to_run: ['daily', 'fit'],
  steps: [
    { cell_id: 'daily', cell_name: 'daily', reason: 'stale' as const, skip: false, estimated_ms: 2_100 },
    { cell_id: 'fit', cell_name: 'loss', reason: 'target' as const, skip: false, estimated_ms: 0 },
  ],
  estimated_duration_ms: 2_100,
};

test('[WI-2] a cascade prompts with its cells and its cost, and runs when confirmed', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = {
    cell_execute: (_payload, socket) => fake.send('cascade_prompt', prompt, socket),
    run_queue_add: () => {
      fake.send('cascade_progress', {
        plan_id: 'plan0001',
        current_cell_id: 'daily',
        completed: 0,
        total: 2,
      });
      fake.status('daily', 'running');
    },
  };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run cell: loss' }).click();
  const dialog = page.getByRole('dialog', { name: 'loss needs other cells first' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    'dailyout of date2.1 s',
    'lossthis cellnot timed yet',
  ]);
  await expect(dialog).toContainText('about 2.1 s in total');
  await expect(dialog.getByRole('button', { name: 'Run all 2' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop · 1/2' })).toBeVisible();
  await expect
    .poll(() => fake.received.flatMap((frame) => (frame.type === 'run_queue_add' ? [frame.payload] : [])))
    .toEqual([{ cell_ids: ['fit'], agreed: ['daily', 'fit'], if_stale: false, mode: 'normal' }]);
});

test('[WI-2] “Run only this” forces the cell; cancel and Escape send nothing', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = { cell_execute: (_payload, socket) => fake.send('cascade_prompt', prompt, socket) };
  await openPage(page, url);
  const run = page.getByRole('button', { name: 'Run cell: loss' });
  const dialog = page.getByRole('dialog');
  await run.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await run.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(fake.received.map((frame) => frame.type)).not.toContain('cell_execute_force');
  await run.click();
  await dialog.getByRole('button', { name: 'Run only this' }).click();
  await expect.poll(() => fake.received.map(({ type }) => type)).toContain('cell_execute_force');
});

test('[WI-271] Shift+Enter over several cells opens one prompt, which runs all of them', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const step = (cell_id: string, reason: 'stale' | 'target') => ({
    cell_id,
    cell_name: cell_id,
    reason,
    skip: false,
    estimated_ms: 0,
  });
  fake.script = {
    cell_execute: ({ cell_id }, socket) =>
      fake.send(
        'cascade_prompt',
        {
          cell_id,
          plan_id: `plan ${cell_id}`,
          cells_to_run: ['daily', cell_id],
          estimated_duration_ms: 0,
          steps: [step('daily', 'stale'), step(cell_id, 'target')],
        },
        socket,
      ),
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=fit] .cell-name').click();
  await page.keyboard.press('Shift+Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Run all 2' })).toBeFocused();
  // The prompt has the focus, and Shift+Enter still runs the cell that is chosen.
  await page.keyboard.press('Shift+Enter');
  await expect(dialog).toHaveCount(1);
  await expect(dialog).toHaveAccessibleName('loss and summary need other cells first');
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^dailyout of date/,
    /^lossrequested/,
    /^summaryrequested/,
  ]);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => fake.received.flatMap((frame) => (frame.type === 'run_queue_add' ? [frame.payload] : [])))
    .toEqual([
      {
        cell_ids: ['fit', 'summary'],
        agreed: ['daily', 'fit', 'summary'],
        if_stale: false,
        mode: 'normal',
      },
    ]);
});

test('[EX-97] a prompt runs without the excluded cells, and explains what that means', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = { cell_execute: (_payload, socket) => fake.send('cascade_prompt', prompt, socket) };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Run cell: loss' }).click();
  const dialog = page.getByRole('dialog', { name: 'loss needs other cells first' });
  // The cell itself has to run.
  await expect(dialog.getByRole('checkbox')).toHaveCount(1);
  await dialog.getByRole('checkbox', { name: 'daily' }).click();
  await expect(dialog.getByRole('status')).toHaveText(
    'Cells that read from a cell you leave out use its stored result.',
  );
  await expect(dialog).not.toContainText('in total');
  await dialog.getByRole('checkbox', { name: 'daily' }).click();
  await expect(dialog.getByRole('button', { name: 'Run all 2' })).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'daily' }).click();
  await dialog.getByRole('button', { name: 'Run this one' }).click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => fake.received.flatMap((frame) => (frame.type === 'run_queue_add' ? [frame.payload] : [])))
    .toEqual([{ cell_ids: ['fit'], agreed: [], if_stale: false, mode: 'force' }]);
});
