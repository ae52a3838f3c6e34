import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
const CELLS = [
  { id: 'make', source: '# @name trips\ntrips = [{"km": n, "day": "mon"} for n in range(30)]\nspare = 1' },
  { id: 'sum', source: '# @name total\ntotal = sum(trip["km"] for trip in trips)' },
  { id: 'last', source: 'total' },
];

const promptOf = (page: Page) => page.locator('.cell-console-prompt textarea');
const stateOf = (page: Page) => page.locator('[data-cell-console-state]');
const lastOf = (page: Page) => page.locator('.cell-console-entry').last();

async function evaluate(page: Page, text: string): Promise<void> {
  await promptOf(page).fill(text);
  await page.keyboard.press('Control+Enter');
  await expect(lastOf(page)).toHaveAttribute('data-answered', 'true');
}

async function look(page: Page, cell: string): Promise<void> {
  await page.locator(`[data-cell-id=${cell}] .bar`).click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Control+Shift+L');
  await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
  await expect(promptOf(page)).toBeFocused();
}

test(
  '[IN-10] a console inside a cell has values, several lines, history, failures, stop, restart and close',
  longOnly('src-renderer/panels/cellConsole/cellConsole.test.tsx', 'e2e/contract/inspect.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal(CELLS);
    await openLive(page, url);
    await page.keyboard.press('Control+Shift+Enter');
    await expect(statusOf(page, 'last')).toHaveAttribute('data-status', 'ready');

    // By keyboard alone: the cell, its console, the prompt of the console.
    await look(page, 'sum');
    await expect(page.locator('.cell-console-name')).toHaveText('total');
    await page.keyboard.type('total + len(trips)');
    await page.keyboard.press('Enter');
    await expect(lastOf(page).locator('.cell-console-value')).toHaveText('465');

    // Tab completes a single name, or opens a list of several; if there is no name, it moves the focus.
    await page.keyboard.type('len(tri');
    await page.keyboard.press('Tab');
    await expect(promptOf(page)).toHaveValue('len(trips');
    const names = page.getByRole('listbox', { name: 'Completions' });
    await promptOf(page).fill('trips.i');
    await page.keyboard.press('Tab');
    await expect(promptOf(page)).toHaveValue('trips.in');
    await page.keyboard.press('Tab');
    await expect(names.getByRole('option')).toHaveText(['index', 'insert']);
    await page.keyboard.press('ArrowDown');
    await expect(names.getByRole('option', { selected: true })).toHaveText('insert');
    await expectAccessible(page);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/cell-console-names.png` });
    await page.keyboard.press('Enter');
    await expect(promptOf(page)).toHaveValue('trips.insert');
    await expect(names).toHaveCount(0);
    await promptOf(page).fill('');
    await page.keyboard.press('Tab');
    await expect(promptOf(page)).not.toBeFocused();
    await promptOf(page).focus();

    // A block ends with an empty line.
    await page.keyboard.type('for trip in trips[:2]:');
    await page.keyboard.press('Enter');
    await page.keyboard.type('print(trip["km"], trip["day"])');
    await page.keyboard.press('Enter');
    await expect(promptOf(page)).toHaveValue(/day"\]\)\n {4}$/);
    await page.keyboard.press('Enter');
    await expect(lastOf(page).locator('.console')).toHaveText(/0 mon\s*1 mon/);

    // The arrow keys restore earlier inputs, and the unfinished one.
    await page.keyboard.type('draft');
    await page.keyboard.press('ArrowUp');
    await expect(promptOf(page)).toHaveValue(/^for trip/);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await expect(promptOf(page)).toHaveValue('total + len(trips)');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowDown');
    await expect(promptOf(page)).toHaveValue('draft');

    await evaluate(page, 'undefined_name');
    await expect(lastOf(page).locator('.error-summary')).toHaveText(/^NameError/);
    await evaluate(page, 'display(Markdown("## A heading")); y = 2');
    await expect(lastOf(page).getByRole('heading', { name: 'A heading' })).toBeVisible();
    await evaluate(page, 'y');
    await expect(lastOf(page).locator('.cell-console-value')).toHaveText('2');
    await expectAccessible(page, { only: '.cell-console' });
    if (SHOTS !== undefined) {
      await page.screenshot({ path: `${SHOTS}/cell-console-light.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
      await page.screenshot({ path: `${SHOTS}/cell-console-dark.png` });
      await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
    }

    // An evaluation that never ends is stopped, and the values stay.
    await promptOf(page).fill('while True: pass');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'busy');
    await page.keyboard.press('Control+c');
    await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
    await expect(lastOf(page).locator('.error-summary')).toHaveText('Stopped.');
    await evaluate(page, 'y');
    await expect(lastOf(page).locator('.cell-console-value')).toHaveText('2');

    // After another run of the cell a notice is shown, and a restart has the new values.
    await page.locator('[data-cell-id=make] .code').click();
    await page.locator('[data-cell-id=make] [data-editor=live]').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('# @name trips\ntrips = [{"km": 1}]');
    await page.keyboard.press('Control+Shift+Enter');
    await expect(page.locator('.cell-console-has-run')).toBeVisible();
    await page.locator('.cell-console-head').getByRole('button', { name: 'Restart' }).click();
    await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'ready');
    await evaluate(page, 'total');
    await expect(lastOf(page).locator('.cell-console-value')).toHaveText('1');

    // A process that ends is reported, with a button to restart it.
    await evaluate(page, 'import os; os._exit(3)');
    await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'closed');
    await expect(page.locator('.cell-console-log')).toContainText('ended itself (exit code 3)');
    await expect(promptOf(page)).toBeDisabled();
    await page.locator('.cell-console-head').getByRole('button', { name: 'Restart' }).click();
    await expect(promptOf(page)).toBeFocused();

    // With a second console, there is a choice between the two.
    await look(page, 'make');
    await expect(page.locator('.cell-console-head').getByRole('combobox')).toHaveText(/trips/);
    await page.locator('.cell-console-head').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.locator('.cell-console-name')).toHaveText('total');
    await page.locator('.cell-console-head').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByText('Explore a cell’s values')).toBeVisible();
  },
);

test(
  '[IN-5] [IN-10] a console of a cell that has not run lists missing values, and reports when another window opens it',
  longOnly('e2e/contract/inspect.test.ts'),
  async ({ page, context, serveReal }) => {
    const { url } = await serveReal(CELLS);
    const other = await context.newPage();
    await openLive(page, url);
    await openLive(other, url);
    await look(page, 'sum');
    await page.getByText('2 names are missing').click();
    await expect(page.locator('.cell-console-missing')).toContainText('Run trips to create it.');
    await expect(page.locator('.cell-console-missing')).toContainText('The cell has not run yet.');
    await look(other, 'sum');
    await expect(stateOf(page)).toHaveAttribute('data-cell-console-state', 'closed');
    await expect(page.locator('.cell-console-log')).toContainText('The console was restarted');
  },
);
