/**
 * Tests that Markdown with words of 40,000 characters and thousands of formulas is shown and edited in a browser
 * without blocking the page. With a fake server.
 */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const LENGTH = 40_000;
/** Words without a place to break; the renderer handles each kind with other code. */
const WORDS: readonly (readonly [string, string])[] = [
  ['letters', 'x'.repeat(LENGTH)],
  ['base64', 'aGVsbG8+/w0='.repeat(LENGTH / 12)],
  ['a formula', `$${'x+'.repeat(LENGTH / 2)}x$`],
  ['formulas', '$x$ '.trim().repeat(LENGTH / 3)],
];
const textCell = (source: string) => fakeCell({ id: 't', language: 'markdown', source, status: 'ready' });

test('[WI-230] a word of 40,000 characters is shown and does not block the page', async ({ page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Text', cells: [textCell('before')] }));
  await openPage(page, url);
  const read = page.locator('[data-cell-id=t] .markdown');
  for (const [what, word] of WORDS) {
    await test.step(what, async () => {
      fake.setCell('t', { source: `before\n\n${word}\n\nafter ${what}` });
      fake.broadcastState();
      await expect(read).toContainText(`after ${what}`);
      // The page responds while it renders the words, and does not get wider.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  }
});

test('[WI-230] of thousands of formulas only those near the viewport are typeset, and the others when they come near', async ({
  page,
  serve,
}) => {
  const source = Array.from({ length: 3_000 }, (_, i) => `$x_{${i}}$`).join('\n\n');
  const { url } = await serve(fakeBody({ name: 'Text', cells: [textCell(source)] }));
  await openPage(page, url);
  const formulas = page.locator('[data-cell-id=t] [data-math]');
  await expect(formulas.first()).toHaveAttribute('data-typeset', 'true');
  await expect(formulas).toHaveCount(3_000);
  const last = formulas.last();
  await expect(last).not.toHaveAttribute('data-typeset');
  await expect(last).toHaveText('x_{2999}');
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveAttribute('data-typeset', 'true');
  await expect(formulas.nth(1_500)).not.toHaveAttribute('data-typeset');
});

test('[WI-230] a word of 40,000 characters is inserted into the editor in one step', async ({
  page,
  serve,
}) => {
  const { url } = await serve(fakeBody({ name: 'Text', cells: [textCell('before')] }));
  await openPage(page, url);
  await page.locator('[data-cell-id=t]').dblclick();
  await page.locator('[data-cell-id=t] [data-editor=live]').waitFor();
  await page.keyboard.press('Control+End');
  const startedAt = performance.now();
  await page.keyboard.insertText(' short');
  const shortMs = performance.now() - startedAt;
  const longAt = performance.now();
  await page.keyboard.insertText('x'.repeat(LENGTH));
  // Key by key, inserting the word would take thousands of times as long.
  expect(performance.now() - longAt).toBeLessThan(500 + 50 * shortMs);
  await page.keyboard.type(' after');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-cell-id=t] .markdown')).toHaveText(
    `before short${'x'.repeat(LENGTH)} after`,
  );
});

test('[WI-231] if the renderer of formulas or diagrams fails to load, the text is shown with a message', async ({
  page,
  serve,
}) => {
  const source = 'Euler: $e^{i\\pi} = -1$.\n\n```mermaid\nflowchart LR\n  Start --> End\n```';
  await page.route(/\/assets\/(typeset|katex|diagrams)-[^/]*\.js$/, (route) => route.abort());
  const { url } = await serve(fakeBody({ name: 'Text', cells: [textCell(source)] }));
  await openPage(page, url);
  const read = page.locator('[data-cell-id=t] .markdown');
  await expect(read.locator('.diagram-why')).toContainText('load the diagram renderer');
  await expect(read.locator('.diagram pre')).toHaveText('flowchart LR\n  Start --> End\n');
  await expect(read.locator('.math-why')).toContainText('load the math renderer');
  await expect(read.locator('[data-math]')).toContainText('e^{i\\pi} = -1');
});
