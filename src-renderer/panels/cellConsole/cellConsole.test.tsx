/**
 * The console inside a cell: input is sent, answers are shown, and after every kind of end it can be used
 * again.
 */
import type { FakeServer } from '../../../e2e/support/fakeServer.ts';
import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';

type Answer = Omit<ServerPayload<'inspect_result'>, 'cell_id' | 'action' | 'expr'>;
const ANSWERS: Readonly<Record<string, Answer>> = {
  'total + 1': { ok: true, result: '465', type: 'int' },
  nope: { ok: false, error: 'NameError: name ‘nope’ is not defined' },
  'print(1)': { ok: true, stdout: '1\n2\n' },
};

const ENDLESS = 'while True: pass';

const promptOf = (page: Page) => page.locator('.cell-console-prompt textarea');
const stateOf = (page: Page) => page.locator('[data-cell-console-state]');
const lastOf = (page: Page) => page.locator('.cell-console-entry').last();

/** Opens the console of the cell `summary`; anything but ANSWERS is never answered. */
async function look({ page, serve }: { page: Page; serve: Serve }): Promise<FakeServer> {
  const { fake, url } = await serve(sampleNotebook());
  fake.script = {
    inspect_open: ({ cell_id = '' }) => fake.send('inspect_result', { cell_id, action: 'open', ok: true }),
    inspect_eval: ({ cell_id = '', expr = '' }) => {
      const answer = ANSWERS[expr];
      if (answer !== undefined) fake.send('inspect_result', { cell_id, action: 'eval', expr, ...answer });
    },
    inspect_interrupt: ({ cell_id = '' }) =>
      fake.send('inspect_result', { cell_id, action: 'eval', expr: ENDLESS, ok: false, error: 'Stopped.' }),
    inspect_complete: ({ cell_id = '', text = '' }) => {
      const names = ['index', 'insert'].filter((name) => name.startsWith(text.split('.').at(-1) ?? ''));
      fake.send('inspect_completions', { cell_id, asked: text, names });
    },
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=summary] .cell-name').click();
  await page.keyboard.press('Control+Shift+L');
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
  await expect(promptOf(page)).toBeFocused();
  return fake;
}

async function evaluate(page: Page, text: string): Promise<void> {
  await promptOf(page).fill(text);
  await page.keyboard.press('Control+Enter');
  await expect(lastOf(page)).toHaveAttribute('data-answered', 'true');
}

test('[IN-10] a console inside a cell: values, printed text, failures and history', async ({
  page,
  serve,
}) => {
  await look({ page, serve });
  await page.keyboard.type('total + 1');
  await page.keyboard.press('Enter');
  await expect(lastOf(page).locator('.cell-console-value')).toHaveText('465');
  await evaluate(page, 'print(1)');
  await expect(lastOf(page).locator('.console')).toHaveText(/1\s*2/);
  await evaluate(page, 'nope');
  await expect(lastOf(page).locator('.error-summary')).toHaveText(/^NameError/);
  // The arrow keys recall earlier input, then the unfinished input.
  await page.keyboard.type('draft');
  for (const earlier of ['nope', 'print(1)', 'total + 1']) {
    await page.keyboard.press('ArrowUp');
    await expect(promptOf(page)).toHaveValue(earlier);
  }
  for (const later of ['print(1)', 'nope', 'draft']) {
    await page.keyboard.press('ArrowDown');
    await expect(promptOf(page)).toHaveValue(later);
  }
});

test('[IN-10] Tab completes: one name immediately, several from a list by keys', async ({ page, serve }) => {
  await look({ page, serve });
  await page.keyboard.type('trips.ind');
  await page.keyboard.press('Tab');
  await expect(promptOf(page)).toHaveValue('trips.index');
  await promptOf(page).fill('trips.in');
  await page.keyboard.press('Tab');
  const names = page.getByRole('listbox', { name: 'Completions' });
  await expect(names.getByRole('option')).toHaveText(['index', 'insert']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(promptOf(page)).toHaveValue('trips.insert');
  await expect(names).toHaveCount(0);
});

test('[IN-10] an endless evaluation is stopped, a process that ended is restarted, and a console is closed', async ({
  page,
  serve,
}) => {
  const fake = await look({ page, serve });
  await promptOf(page).fill(ENDLESS);
  await page.keyboard.press('Control+Enter');
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'busy');
  await page.keyboard.press('Control+c');
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
  await expect(lastOf(page).locator('.error-summary')).toHaveText('Stopped.');

  const message = 'The process ended itself (exit code 3).';
  fake.send('inspect_closed', { cell_id: 'summary', reason: 'ended', message });
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'closed');
  await expect(page.locator('.cell-console-log')).toContainText('exit code 3');
  await expect(promptOf(page)).toBeDisabled();
  const head = page.locator('.cell-console-head');
  await head.getByRole('button', { name: 'Restart' }).click();
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
  await expect(promptOf(page)).toBeFocused();
  await evaluate(page, 'total + 1');
  await expect(lastOf(page).locator('.cell-console-value')).toHaveText('465');

  await head.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('Explore a cell’s values')).toBeVisible();
  await expect
    .poll(() => fake.received.findLast(({ type }) => type === 'inspect_close')?.payload)
    .toMatchObject({ cell_id: 'summary' });
});
