/** The strip of a cell's tests, against a scripted server: results, progress, conflicts and the run of all tests. */
import type { FakeServer } from '../../../e2e/support/fakeServer.ts';
import { refusal } from '../../../e2e/support/fakeServer.ts';
import { fakeBody, fakeCell } from '../../../e2e/support/fakeServerNotebook.ts';
import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';
import { TEST_WORDS as W } from '../../words/tests.ts';

const NO_TEST = { cell_id: 'calc', done: 0, total: null, failed: 0, test: null };

function caseOf(name: string, part: Partial<TestCase> = {}): TestCase {
  return { name, nodeid: `calc.test.py::${name}`, outcome: 'passed', message: '', ...part };
}

/** Sends the results of a cell's tests, as at the end of their run. */
function sendResults(fake: FakeServer, cell_id: string, tests: readonly TestCase[], more: object = {}): void {
  const count = (outcome: TestCase['outcome']) => tests.filter((one) => one.outcome === outcome).length;
  fake.send('cell_test_results', {
    cell_id,
    tests: [...tests],
    stale: false,
    auto_installed: [],
    pytest_unavailable: false,
    passed: count('passed'),
    failed: count('failed'),
    errored: count('error'),
    skipped: 0,
    ran_at: 1,
    ...more,
  });
  fake.send('cell_test_status', { cell_id, status: 'ready' });
}

/** A notebook whose two cells define `n` and `total`; the server writes the tests it is sent. */
async function opened({ page, serve }: { page: Page; serve: Serve }, tests: Record<string, string> = {}) {
  const cells = [
    fakeCell({ id: 'base', source: 'n = 2', defines: ['n'], test_source: tests['base'] ?? '' }),
    fakeCell({ id: 'calc', source: 'total = n * 2', defines: ['total'], test_source: tests['calc'] ?? '' }),
  ];
  const { fake, url } = await serve(fakeBody({ name: 'Tested', cells }));
  fake.answers.setCellTests = ({ params, body }) => {
    const id = params['cell_id'] ?? '';
    fake.setCell(id, { test_source: (body as { readonly source: string }).source }); // parsed by the route
    return fake.cell(id);
  };
  fake.answers.keepTestDraft = { cell_id: 'calc', kept: true };
  await openPage(page, url);
  return { fake, url, cell: page.locator('[data-cell-id=calc]'), section: sectionOf(page) };
}

function sectionOf(page: Page) {
  return page.locator('[data-cell-id=calc]').getByRole('region', { name: W.section('total') });
}

/** Opens the tests of `total` and puts the caret into their text. */
async function editTests(page: Page): Promise<void> {
  await page.locator('[data-cell-id=calc] .bar').click();
  await page.keyboard.press('t');
  await expect(sectionOf(page).locator('[data-editor]')).toBeVisible();
}

test('[CT-13] tests are typed, saved, run by shortcut, and each result is shown', async ({ page, serve }) => {
  const { fake, cell, section } = await opened({ page, serve });
  await editTests(page);
  await page.keyboard.type('def test_total(cell): assert cell.total == 5');
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => fake.received.findLast(({ type }) => type === 'cell_run_tests')?.payload)
    .toMatchObject({ cell_id: 'calc', test_source: 'def test_total(cell): assert cell.total == 5' });
  fake.send('cell_test_status', { cell_id: 'calc', status: 'running' });
  await expect(section.getByRole('progressbar')).toBeVisible();
  sendResults(
    fake,
    'calc',
    [caseOf('test_other'), caseOf('test_total', { outcome: 'failed', message: 'assert 4 == 5', line: 1 })],
    { auto_installed: ['pytest'] },
  );
  await expect(section.locator('.test-verdict')).toHaveText('1 of 2 tests failed');
  await expect(section).toContainText(W.installed);
  await expect(section.locator('.test-row-failed')).toContainText('assert 4 == 5');
  await expect(section.locator('.test-row-passed')).toContainText('test_other');
  await expect(cell.locator('.bar')).toContainText('1 of 2 tests failed');
  await section.getByRole('button', { name: 'line 1' }).click();
  await expect(section.locator('[data-editor]')).toBeVisible();
  fake.send('cell_tests_changed', {
    cell_id: 'calc',
    test_source: fake.cell('calc').test_source,
    stale: true,
  });
  await expect(section.locator('.test-verdict')).toHaveText(W.stale);
  await expect(cell.locator('.bar')).toContainText(W.stale);
});

const ERRORS: readonly (readonly [what: string, tests: readonly TestCase[], shown: string])[] = [
  [
    'a syntax error',
    [caseOf('calc.test.py', { outcome: 'error', message: 'SyntaxError: invalid syntax', line: 1 })],
    'SyntaxError',
  ],
  [
    'a process that ended',
    [caseOf('test_a', { outcome: 'error', message: 'The process ended with exit code 3.' })],
    'exit code 3',
  ],
  [
    'no tests',
    [caseOf('calc.test.py', { outcome: 'error', message: 'No tests were found.' })],
    'No tests were found',
  ],
];

test('[CT-13] tests that never end are stopped, and problems are shown in the section', async ({
  page,
  serve,
}) => {
  const { fake, section } = await opened({ page, serve }, { calc: 'def test_long(): ...' });
  fake.answers.cancelCellTests = { cell_id: 'calc', cancelled: true };
  await section.locator('.strip-toggle').click();
  await section.getByRole('button', { name: W.runOf('total') }).click();
  await expect.poll(() => fake.received.map(({ type }) => type)).toContain('cell_run_tests');
  fake.send('cell_test_status', { cell_id: 'calc', status: 'running' });
  await section.getByRole('button', { name: W.stopOf('total') }).click();
  await expect.poll(() => fake.requests.map(({ name }) => name)).toContain('cancelCellTests');
  fake.send('cell_test_status', { cell_id: 'calc', status: 'error' });
  await expect(section.getByRole('button', { name: W.runOf('total') })).toBeVisible();
  for (const [_what, tests, shown] of ERRORS) {
    sendResults(fake, 'calc', tests);
    await expect(section.locator('.test-row-error')).toContainText(shown);
  }
  sendResults(fake, 'calc', [], { pytest_unavailable: true, problem: 'pytest could not be installed.' });
  await expect(section).toContainText('pytest could not be installed.');
});

test('[CT-17] while tests run the window shows the current one, and how many are done and failed', async ({
  page,
  serve,
}) => {
  const { fake, section } = await opened({ page, serve }, { calc: 'def test_waits(): ...' });
  await section.locator('.strip-toggle').click();
  await section.getByRole('button', { name: W.runOf('total') }).click();
  fake.send('cell_test_status', { cell_id: 'calc', status: 'running' });
  fake.send('cell_test_progress', NO_TEST);
  await expect(section.locator('.test-at')).toHaveText('collecting tests');
  fake.send('cell_test_progress', { ...NO_TEST, done: 2, total: 4, failed: 1, test: 'test_waits' });
  await expect(section.locator('.test-at')).toHaveText('2 of 4 tests, 1 failedtest_waits');
  await expect(section.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
  sendResults(fake, 'calc', [caseOf('test_waits')]);
  await expect(section.locator('.test-verdict')).toHaveText('1 test passed');
  await expect(section.locator('.test-at')).toHaveCount(0);
});

test('[CT-16] all tests run from the menu, one cell at a time, with a count, a stop button and a summary', async ({
  page,
  serve,
}) => {
  const tests = { base: 'def test_n(cell): ...', calc: 'def test_total(cell): ...' };
  const { fake } = await opened({ page, serve }, tests);
  fake.answers.cancelCellTests = { cell_id: 'base', cancelled: true };
  const bar = page.getByRole('contentinfo');
  const runs = () =>
    fake.received.flatMap((frame) => (frame.type === 'cell_run_tests' ? [frame.payload.cell_id] : []));
  const runAll = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Notebook menu' }).click();
    await page.getByRole('menuitem', { name: 'Run all tests' }).click();
  };
  await runAll();
  await expect(bar).toContainText(W.allRunning(1, 2, 'n'));
  await expect.poll(runs).toEqual(['base']);
  fake.send('cell_test_status', { cell_id: 'base', status: 'running' });
  await bar.getByRole('button', { name: W.stopAll }).click();
  await expect.poll(() => fake.requests.map(({ name }) => name)).toContain('cancelCellTests');
  fake.send('cell_test_status', { cell_id: 'base', status: 'error' });
  await expect(page.locator('[data-cell-id=base] .bar')).not.toContainText(W.running);
  expect(runs()).toEqual(['base']);

  await runAll();
  await expect.poll(runs).toEqual(['base', 'base']);
  fake.send('cell_test_status', { cell_id: 'base', status: 'running' });
  await expect(page.locator('[data-cell-id=base] .bar')).toContainText(W.running);
  sendResults(fake, 'base', [caseOf('test_n')]);
  await expect(bar).toContainText(W.allRunning(2, 2, 'total'));
  await expect.poll(runs).toEqual(['base', 'base', 'calc']);
  sendResults(fake, 'calc', [caseOf('test_total', { outcome: 'failed', message: 'assert 4 == 5' })]);
  await expect(page.getByText('1 of 2 tests failed, in total.', { exact: true }).first()).toBeVisible();
  await expect(page.locator('[data-cell-id=base] .bar')).toContainText('1 test passed');
  await expect(page.locator('[data-cell-id=calc] .bar')).toContainText('1 of 1 test failed');
  await expect(bar).not.toContainText('Testing');
});

test('[CT-15] tests that another program changes during typing: both texts are shown, one is chosen', async ({
  page,
  serve,
}) => {
  const { fake, section } = await opened({ page, serve }, { calc: 'def test_a(cell): pass' });
  const write = fake.answers.setCellTests;
  fake.answers.setCellTests = refusal(409, {
    message: 'The tests were changed outside Cellar.',
    code: 'source_changed_on_disk',
  });
  await editTests(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' # mine');
  const theirs = 'def test_a(cell): assert 1';
  fake.send('cell_tests_changed', { cell_id: 'calc', test_source: theirs, stale: null });
  await expect(section).toContainText(W.changedElsewhere);
  await section.getByRole('button', { name: 'Compare' }).click();
  await expect(section.locator('.diff-line').first()).toContainText(theirs);
  fake.answers.setCellTests = write ?? {};
  await section.getByRole('button', { name: 'Keep mine' }).click();
  await expect
    .poll(() => fake.requests.findLast(({ name }) => name === 'setCellTests')?.body)
    .toEqual({ source: 'def test_a(cell): pass # mine', base: theirs });
  await expect(section).not.toContainText(W.changedElsewhere);
});

test('[CT-18] a text in conflict that an earlier window left is offered again, until it is settled', async ({
  page,
  serve,
}) => {
  const theirs = 'def test_a(cell): assert 1';
  const mine = { cell_id: 'calc', text: 'def test_a(cell): pass # mine', base: 'def test_a(cell): pass' };
  const cells = [fakeCell({ id: 'calc', source: 'total = 4', defines: ['total'], test_source: theirs })];
  const { fake, url } = await serve(fakeBody({ name: 'Tested', cells }));
  let drafts = [mine];
  fake.answers.testDrafts = () => ({ drafts, problem: null });
  fake.answers.keepTestDraft = () => {
    drafts = [];
    return { cell_id: 'calc', kept: false };
  };
  fake.answers.setCellTests = ({ body }) => {
    const { source, base } = body as { readonly source: string; readonly base: string }; // parsed by the route
    if (base !== theirs) return refusal(409, { message: 'changed', code: 'source_changed_on_disk' });
    fake.setCell('calc', { test_source: source });
    return fake.cell('calc');
  };
  await openPage(page, url);
  const section = sectionOf(page);
  await expect(section).toContainText(W.changedElsewhere);
  await expect(page.locator('.toasts')).toContainText(W.draftBack('total'));
  await expect(section.locator('.test-code')).toContainText('# mine');
  await section.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => fake.cell('calc').test_source).toBe(mine.text);
  await expect(section).not.toContainText(W.changedElsewhere);
  // The page that stored the draft removes it once the text is saved.
  await expect.poll(() => drafts).toEqual([]);
});
