/**
 * Tests the feature "tests of a cell" in a browser, with a real server and pytest from a local folder: writing,
 * running, stopping, conflicts with another program, progress, and running all tests.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import { onlyWheels, packPytest } from '../support/pytestWheels.ts';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';
import { replaceFile } from '../support/replaceFile.ts';

let wheels = '';
test.beforeAll(async () => {
  wheels = await mkdtemp(join(tmpdir(), 'cellar-wheels-'));
  await packPytest(wheels);
});
test.afterAll(() => rm(wheels, { recursive: true, force: true }));

const CELLS = [
  { id: 'base', source: 'n = 2' },
  { id: 'calc', source: 'total = n * 2' },
];

function sectionOf(page: Page) {
  return page.locator('[data-cell-id=calc]').getByRole('region', { name: 'Tests of total' });
}

test(
  '[CT-13] tests are written below their cell, run by shortcut, and show each result',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, serveReal }) => {
    const { url, dir } = await serveReal(CELLS, { server: { env: onlyWheels(wheels) } });
    await openLive(page, url);
    const cell = page.locator('[data-cell-id=calc]');
    const section = sectionOf(page);
    await cell.locator('.bar').click();
    await page.keyboard.press('t');
    await section.locator('[data-editor=live]').waitFor();
    await page.keyboard.insertText(
      'def test_total(cell): assert cell.total == 4\ndef test_other(cell): assert cell.total == 5',
    );
    await page.keyboard.press('Control+Enter');

    // pytest is installed and the cell above runs, but the cell itself does not.
    await expect(section.locator('.test-verdict')).toHaveText('1 of 2 tests failed');
    await expect(section).toContainText('pytest was added to the notebook’s development packages.');
    await expect(section.locator('.test-row-failed')).toContainText('assert 4 == 5');
    await expect(section.locator('.test-row-passed')).toContainText('test_total');
    await expect(cell.locator('.bar')).toContainText('1 of 2 tests failed');
    await expect(page.locator('[data-outline=calc]')).toContainText('1 of 2 tests failed');
    await expect(statusOf(page, 'base')).toHaveAttribute('data-status', 'ready');
    await expect(statusOf(page, 'calc')).toHaveAttribute('data-status', 'idle');
    expect(await readFile(join(dir, 'cells/calc.test.py'), 'utf8')).toContain('cell.total == 5');
    await expectAccessible(page);

    // Goes from the failure to its line, fixes the line, and runs the tests again.
    await section.getByRole('button', { name: 'line 2' }).click();
    await section.locator('[data-editor=live]').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('4');
    await page.keyboard.press('Control+Enter');
    await expect(section.locator('.test-verdict')).toHaveText('2 tests passed');
    await page.keyboard.press('Escape');
    await expect(section.locator('[data-editor]')).toHaveCount(0);

    // An edit of the cell above makes the results outdated; reverting it makes them valid, also after a reload.
    await editCell(page, 'base', 'n = 3');
    await expect(section.locator('.test-verdict')).toHaveText('tests out of date');
    await expect(cell.locator('.bar')).toContainText('tests out of date');
    await page.keyboard.press('Escape');
    await editCell(page, 'base', 'n = 2');
    await expect(section.locator('.test-verdict')).toHaveText('2 tests passed');
    await page.reload();
    await expect(sectionOf(page).locator('.test-verdict')).toHaveText('2 tests passed');
  },
);

test(
  '[CT-13] tests that never end are stopped, and problems are shown in the section',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, serveReal }) => {
    const { url } = await serveReal(CELLS, { server: { env: onlyWheels(wheels) } });
    await openLive(page, url);
    const section = sectionOf(page);
    const write = async (text: string): Promise<void> => {
      await page.locator('[data-cell-id=calc] .bar').click();
      await page.keyboard.press('t');
      await section.locator('[data-editor=live]').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Control+Enter');
    };
    await write('import time\ndef test_long(): time.sleep(600)');
    await expect(section.getByRole('progressbar')).toBeVisible();
    await section.getByRole('button', { name: 'Stop: tests of total' }).click();
    await expect(section.getByRole('button', { name: 'Run tests: total' })).toBeVisible({
      timeout: 60_000,
    });

    await write('def test_a(:\n');
    await expect(section.locator('.test-row-error')).toContainText('SyntaxError');
    await write('import os\ndef test_a(): os._exit(3)\n');
    await expect(section.locator('.test-row-error')).toContainText('exit code 3');
    await write('x = 1\n');
    await expect(section.locator('.test-row-error')).toContainText('No tests were found');
  },
);

test(
  '[CT-15] for tests that another program changes during typing, both texts are shown and one is chosen',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, serveReal }) => {
    const { url, dir } = await serveReal(CELLS);
    const file = join(dir, 'cells/calc.test.py');
    await openLive(page, url);
    const section = sectionOf(page);
    await page.locator('[data-cell-id=calc] .bar').click();
    await page.keyboard.press('t');
    await section.locator('[data-editor=live]').waitFor();
    await page.keyboard.insertText('def test_a(cell): pass');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('def test_a(cell): pass');
    // The request with the next text is delayed while the other program writes.
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/cells/calc/tests', async (route) => {
      await gate;
      await route.continue();
    });
    const saving = page.waitForRequest('**/cells/calc/tests');
    await page.keyboard.type(' # mine');
    await saving;
    await replaceFile(file, 'def test_a(cell): assert 1');
    release();
    const note = section.getByText('These tests were changed elsewhere while you were typing.');
    await expect(note).toBeVisible();
    expect(await readFile(file, 'utf8')).toBe('def test_a(cell): assert 1');
    await section.getByRole('button', { name: 'Compare' }).click();
    await expect(section.getByText('def test_a(cell): assert 1')).toBeVisible();
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => readFile(file, 'utf8')).toBe('def test_a(cell): pass # mine');
    await expect(note).toHaveCount(0);
  },
);

test(
  '[CT-18] a text in conflict with another program’s is still shown after the window was closed',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, context, serveReal }) => {
    const { url, dir } = await serveReal(CELLS);
    const file = join(dir, 'cells/calc.test.py');
    await replaceFile(file, 'def test_a(cell): pass');
    const first = await context.newPage();
    await openLive(first, url);
    await first.locator('[data-cell-id=calc] .bar').click();
    await first.keyboard.press('t');
    await sectionOf(first).locator('[data-editor=live]').waitFor();
    await first.route('**/cells/calc/tests', async (route) => {
      await replaceFile(file, 'def test_a(cell): assert 1');
      await route.continue();
    });
    await first.keyboard.press('Control+End');
    await first.keyboard.type(' # mine');
    const words = 'These tests were changed elsewhere while you were typing.';
    await expect(sectionOf(first).getByText(words)).toBeVisible();
    await first.locator('[data-editor=live]').click();
    await first.keyboard.press('Control+End');
    await first.keyboard.type(', and more');
    // Immediately, without waiting for a pause in typing.
    await first.close({ runBeforeUnload: true });

    await openLive(page, url);
    const section = sectionOf(page);
    await expect(section.getByText(words)).toBeVisible();
    await expect(page.locator('.toasts')).toContainText('Unsaved changes to the tests of');
    await expect(section.locator('.test-code')).toContainText('# mine, and more');
    expect(await readFile(file, 'utf8')).toBe('def test_a(cell): assert 1');
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => readFile(file, 'utf8')).toBe('def test_a(cell): pass # mine, and more');
    // Once resolved, the conflict is not shown again.
    await page.reload();
    await openLive(page, url);
    await expect(section.getByText(words)).toHaveCount(0);
    await expect(page.locator('.toasts')).not.toContainText('Unsaved changes to the tests of');
  },
);

test(
  '[CT-17] while tests run the window shows the current one, and how many are done and failed',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, serveReal }) => {
    const { url, dir } = await serveReal(CELLS, { server: { env: onlyWheels(wheels) } });
    const gate = join(dir, 'go');
    const source = [
      'import os, time',
      'def test_good(): pass',
      'def test_bad(): assert 0',
      'def test_waits():',
      `    while not os.path.exists(${JSON.stringify(gate)}): time.sleep(0.05)`,
      'def test_last(): pass',
    ].join('\n');
    await writeFile(join(dir, 'cells/calc.test.py'), source);
    await openLive(page, url);
    const section = sectionOf(page);
    await section.locator('.strip-toggle').click();
    await section.getByRole('button', { name: 'Run tests: total' }).click();
    await expect(section.locator('.test-at')).toHaveText('2 of 4 tests, 1 failedtest_waits', {
      timeout: 60_000,
    });
    await expect(section.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
    await expectAccessible(page);
    await writeFile(gate, '');
    await expect(section.locator('.test-verdict')).toHaveText('1 of 4 tests failed');
    await expect(section.locator('.test-at')).toHaveCount(0);
  },
);

test(
  '[CT-16] all tests run from the menu, one cell at a time, with a count, a stop button and a summary',
  longOnly('src-renderer/notebook/tests/cellTests.test.tsx', 'e2e/contract/cellTests.test.ts'),
  async ({ page, serveReal }) => {
    const { url, dir } = await serveReal(CELLS, { server: { env: onlyWheels(wheels) } });
    const release = join(dir, 'release');
    const waits = `import os, time\ndef test_n(cell):\n    while not os.path.exists(${JSON.stringify(release)}): time.sleep(0.02)\n`;
    await writeFile(join(dir, 'cells/base.test.py'), waits);
    await writeFile(join(dir, 'cells/calc.test.py'), 'def test_total(cell): assert cell.total == 5\n');
    await openLive(page, url);
    const bar = page.getByRole('contentinfo');
    const runAll = async () => {
      await page.getByRole('button', { name: 'Notebook menu' }).click();
      await page.getByRole('menuitem', { name: 'Run all tests' }).click();
    };
    await runAll();
    await expect(bar.getByText('Testing n, 1 of 2')).toBeVisible();
    await page.mouse.move(0, 0);
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Stop running all tests' }).click();
    await expect(bar.getByText('Testing')).toHaveCount(0);
    await expect(page.locator('[data-cell-id=base] .bar')).not.toContainText('tests running');
    await runAll();
    await expect(page.locator('[data-cell-id=base] .bar')).toContainText('tests running');
    await writeFile(release, '');
    await expect(page.getByText('1 of 2 tests failed, in total.', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.locator('[data-cell-id=base] .bar')).toContainText('1 test passed');
    await expect(page.locator('[data-cell-id=calc] .bar')).toContainText('1 of 1 test failed');
    await expect(bar.getByText('Testing')).toHaveCount(0);
  },
);
