/**
 * Tests the console output of a cell in a browser: the end of long output, floods without blank frames, search,
 * wrapping and the full log. With a fake server.
 */

import type { Locator } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';
import { longUnless } from '../support/longOnly.ts';

const notebook = () =>
  fakeBody({ name: 'Console', cells: [fakeCell({ id: 'a', defines: ['a'], console_stdout: 'last run\n' })] });

test('[WI-9] a long console output from before the page opened shows its end', async ({ page, serve }) => {
  const stdout = `${'a line\n'.repeat(3_000)}the end\n`;
  const { url } = await serve(
    fakeBody({ name: 'Long', cells: [fakeCell({ id: 'a', defines: ['a'], console_stdout: stdout })] }),
  );
  await openPage(page, url);
  const box = page.locator('[data-stream=stdout]');
  await expect(box).toContainText('the end');
  // The last line must be within the visible part of the box, not only rendered.
  await expect
    .poll(() =>
      box.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight),
    )
    .toBeLessThan(24);
});

test('[WI-9] a flood keeps its tail, shows how much was omitted, and can be scrolled and searched', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const out = page.locator('[data-stream=stdout]');
  await expect(out).toHaveText('last run');
  fake.status('a', 'running');
  for (let chunk = 0; chunk < 65; chunk += 1) {
    const text = Array.from(
      { length: 2_000 },
      (_none, line) => `line ${chunk * 2_000 + line} of the flood\n`,
    ).join('');
    fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text, chunk_seq: chunk });
  }
  await expect(out).toContainText('line 129999 of the flood');
  // Only visible lines are in the page, and the box follows the end.
  await expect.poll(async () => (await out.innerText()).split('\n').length).toBeLessThan(200);
  const fromEnd = () => out.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(24);
  // The position is kept after a user has scrolled up.
  await out.evaluate((box) => {
    box.scrollTop = 0;
  });
  await expect(out).toContainText('earlier output omitted');
  await expect(out).not.toContainText('line 129999 of');
  await expect(out).not.toContainText('line 100 of');
  fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text: 'one more\n', chunk_seq: 65 });
  await out.hover();
  await page.getByRole('button', { name: 'Find in console' }).click();
  const field = page.getByRole('searchbox', { name: 'Find in console' });
  await field.fill('ONE MORE');
  await expect(page.locator('.find-place')).toHaveText('1 of 1');
  await expect(out.locator('.console-hit-current')).toHaveText('one more');
  await expect(out.locator('.console-hit-current')).toBeInViewport();
  await field.fill('line 12345');
  await expect(page.locator('.find-place')).toHaveText('1 of 10');
  await field.press('Enter');
  await expect(page.locator('.find-place')).toHaveText('2 of 10');
  await field.press('Shift+Enter');
  await expect(page.locator('.find-place')).toHaveText('1 of 10');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
});

/**
 * Watches the frames that the page draws, from the first one with a line in the box. The returned function returns how
 * many there were, and how many showed no line in the box.
 */
async function watchFrames(out: Locator): Promise<() => Promise<{ drawn: number; blank: number }>> {
  const counts = await out.evaluateHandle((box) => {
    const frames = { drawn: 0, blank: 0 };
    const look = (): void => {
      const inner = box.getBoundingClientRect();
      const lines = box.querySelector('.console-text')?.getBoundingClientRect();
      const shows = lines !== undefined && lines.bottom > inner.top + 18 && lines.top < inner.bottom - 18;
      if (shows || frames.drawn > 0) frames.drawn += 1;
      if (!shows && frames.drawn > 0) frames.blank += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return frames;
  });
  return () => counts.jsonValue();
}

/** The number of lines printed before the flood, and the position the user scrolls to after them. */
const FLOODS = [
  { name: 'the end is followed', before: 10, scrollTo: null, isLong: true },
  { name: 'the end of a full console is followed', before: 110_000, scrollTo: null, isLong: false },
  { name: 'scrolled up while a short console becomes long', before: 490, scrollTo: 4_000, isLong: true },
  { name: 'scrolled up in a full console', before: 110_000, scrollTo: 1_500_000, isLong: true },
];
for (const { name, before, scrollTo, isLong } of FLOODS) {
  test(
    `[WI-9] no frame of a flood is blank: ${name}`,
    longUnless(!isLong, 'e2e/app/console.spec.ts'),
    async ({ page, serve }) => {
      const { fake, url } = await serve(notebook());
      await openPage(page, url);
      const out = page.locator('[data-stream=stdout]');
      await expect(out).toHaveText('last run');
      fake.status('a', 'running');
      let printed = 0;
      const print = (count: number): void => {
        const text = Array.from(
          { length: count },
          () => `line ${printed++} of the flood, ${'-'.repeat(60)}\n`,
        );
        fake.send('cell_console', { cell_id: 'a', stream: 'stdout', text: text.join(''), chunk_seq: null });
      };
      for (let left = before; left > 0; left -= 5_000) print(Math.min(left, 5_000));
      await expect(out).toContainText(`line ${printed - 1} of`);
      if (scrollTo !== null) {
        await out.evaluate((box, top) => {
          box.scrollTop = top;
        }, scrollTo);
      }
      const frameCounts = await watchFrames(out);
      for (let piece = 0; piece < 150; piece += 1) {
        print(600);
        // Some pieces arrive with a frame and some between two frames, on a machine of any speed.
        if (piece % 2 === 1) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      }
      if (scrollTo === null) await expect(out).toContainText(`line ${printed - 1} of`);
      const { drawn, blank } = await frameCounts();
      expect(drawn).toBeGreaterThan(30);
      expect(blank).toBe(0);
    },
  );
}

test('wrapping of long lines applies to every console and is remembered', async ({ page, serve }) => {
  const { url } = await serve(
    fakeBody({
      name: 'Wide',
      cells: [
        fakeCell({ id: 'a', defines: ['a'], console_stdout: `${'wide '.repeat(400)}\n` }),
        fakeCell({ id: 'b', defines: ['b'], console_stderr: `${'wide '.repeat(400)}\n` }),
      ],
    }),
  );
  await openPage(page, url);
  const out = page.locator('[data-stream=stdout]');
  const overflows = () => out.evaluate((box) => box.scrollWidth > box.clientWidth);
  await expect.poll(overflows).toBe(true);
  await out.hover();
  await page.getByRole('button', { name: 'Wrap long lines' }).click();
  await expect.poll(overflows).toBe(false);
  await page.reload();
  await expect(page.locator('[data-stream=stderr]')).toHaveClass(/console-wrap/);
});

test('the full log can be opened, searched and downloaded', async ({ page, serve }) => {
  const printed = Array.from({ length: 3_000 }, (_none, at) => `step ${at}\n`).join('');
  const { url } = await serve(
    fakeBody({ name: 'Log', cells: [fakeCell({ id: 'a', defines: ['a'], console_stdout: printed })] }),
  );
  await openPage(page, url);
  await page.locator('[data-stream=stdout]').hover();
  await page.getByRole('button', { name: 'Open full log' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log of a: Output' });
  await expect(dialog.getByRole('status').first()).toContainText('3,000 lines');
  await dialog.getByRole('searchbox').fill('step 1234');
  await expect(dialog.locator('.console-hit-current')).toHaveText('step 1234');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('a.stdout.log');
});
