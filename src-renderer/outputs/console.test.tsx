/**
 * The console output of a cell in the whole window, against a fake server: live updates, progress bars, and
 * hostile text.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const notebook = () =>
  fakeBody({ name: 'Console', cells: [fakeCell({ id: 'a', defines: ['a'], console_stdout: 'last run\n' })] });

test('[LP-13] [LP-14] [LP-15] a run clears the console, chunk 0 clears its stream, and the result replaces all', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const out = page.locator('[data-stream=stdout]');
  const err = page.locator('[data-stream=stderr]');
  await expect(out).toHaveText('last run');
  fake.status('a', 'running');
  await expect(out).toHaveCount(0);
  fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text: 'one\n', chunk_seq: 0 });
  fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text: 'two\n', chunk_seq: 1 });
  fake.send('cell_console', { cell_id: 'a', stream: 'stderr', text: 'careful\n', chunk_seq: 0 });
  await expect(out).toHaveText('one two');
  await expect(err).toHaveText('careful');
  fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text: 'again\n', chunk_seq: 0 });
  await expect(out).toHaveText('again');
  fake.output('a', { stdout: 'whole\n', stderr: '' });
  await expect(out).toHaveText('whole');
  await expect(err).toHaveCount(0);
});

test('a progress bar redraws its line, in its colours', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await expect(page.locator('[data-stream=stdout]')).toHaveText('last run');
  fake.status('a', 'running');
  for (let step = 0; step <= 100; step += 10) {
    fake.send('cell_console', {
      cell_id: 'a',
      stream: 'stdout',
      text: `\r\x1b[32m${step}%\x1b[0m`,
      chunk_seq: null,
    });
  }
  await expect(page.locator('[data-stream=stdout]')).toHaveText('100%');
  await expect(page.locator('[data-stream=stdout] .ansi-green-fg')).toHaveText('100%');
});

test('[WI-9] what is printed is text, never markup', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await expect(page.locator('[data-stream=stdout]')).toHaveText('last run');
  fake.status('a', 'running');
  const text = '<img src=x onerror="window.hit=1">\x1b[31m<script>window.hit=1</script>\n';
  fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text, chunk_seq: 0 });
  await expect(page.locator('[data-stream=stdout]')).toContainText('<script>');
  await expect(page.locator('[data-stream=stdout] img, [data-stream=stdout] script')).toHaveCount(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});

test('[WI-9] invisible and text-reversing characters are shown by their code', async ({ page, serve }) => {
  const { url } = await serve(
    fakeBody({
      name: 'Turned',
      cells: [
        fakeCell({
          id: 'a',
          defines: ['a'],
          console_stdout: 'safe \u202egnp.exe\u202c \x1b]8;;javascript:hit()\x07link\x1b]8;;\x07\n',
        }),
      ],
    }),
  );
  await openPage(page, url);
  const out = page.locator('[data-stream=stdout]');
  await expect(out).toHaveText('safe U+202Egnp.exeU+202C link');
  await expect(out.locator('a')).toHaveCount(0);
});
