/**
 * Hostile outputs in a browser, against a real server: HTML and SVG cannot leave their frames, and hostile text is
 * never treated as markup.
 */

import type { Page } from '@playwright/test';
import { expect } from '../support/expect.ts';
import {
  hostileHtml,
  hostileMove,
  hostileSvg,
  MARK,
  type Outsider,
  startOutsider,
} from '../support/hostileOutputs.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** What a hostile output left in the page of Cellar: a variable, a text node or an image; null if nothing. */
function traceIn(page: Page): Promise<unknown> {
  return page.evaluate((mark) => {
    const added = [...document.body.childNodes].find((node) => node.nodeValue?.includes(mark));
    const image = document.querySelector('img[src="x"]');
    return Reflect.get(window, mark) ?? added?.nodeValue ?? image?.outerHTML ?? null;
  }, MARK);
}

/** Runs the only cell and waits until it has ended. */
async function runCell(page: Page, url: string): Promise<void> {
  await openLive(page, url);
  await page.getByRole('button', { name: /^Run cell/ }).click();
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', /ready|error/);
}

/** Checks that the page is unchanged, and that the other host received only the request of this check. */
async function checkContained(page: Page, url: string, outsider: Outsider): Promise<void> {
  // This request shows that the host can be reached; requests of the output would have been sent before it.
  const other = await page.context().newPage();
  await other.goto(`${outsider.address}/control`);
  await other.close();
  expect(outsider.met.filter((path) => path !== '/favicon.ico')).toEqual(['/control']);
  expect([await traceIn(page), page.url(), page.context().pages().length]).toEqual([null, url, 1]);
  await expect(page).not.toHaveTitle(new RegExp(MARK));
}

const display = (method: string, text: string): string =>
  `class Shown:\n    def ${method}(self):\n        return ${JSON.stringify(text)}\n\nShown()`;

const FRAMED: readonly { readonly name: string; readonly source: (outsider: Outsider) => string }[] = [
  { name: 'HTML', source: (outsider) => display('_repr_html_', hostileHtml(outsider)) },
  { name: 'SVG', source: (outsider) => display('_repr_svg_', hostileSvg(outsider)) },
];
test('[WI-87] hostile HTML and SVG run in their frames and cannot escape them', async ({
  page,
  serveReal,
}) => {
  const outsider = await startOutsider();
  const { url } = await serveReal(FRAMED.map(({ name, source }) => ({ id: name, source: source(outsider) })));
  await openLive(page, url);
  for (const { name } of FRAMED) {
    const cell = page.locator(`[data-cell-id=${name}]`);
    await cell.getByRole('button', { name: /^Run cell/ }).click();
    await expect(cell.frameLocator('iframe').locator('#ran')).toHaveText('ran');
  }
  await checkContained(page, url, outsider);
  await outsider.close();
});

test('[WI-87] an output cannot navigate to a document without Cellar’s headers', async ({
  page,
  serveReal,
}) => {
  const outsider = await startOutsider();
  const { url } = await serveReal([{ id: 'one', source: display('_repr_html_', hostileMove(outsider)) }]);
  await runCell(page, url);
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContainEqual(expect.stringMatching(/^chrome-error:/));
  await checkContained(page, url, outsider);
  await outsider.close();
});

/** Text that runs a script if a page treats it as markup. */
const TRAP = `<img src=x onerror="window.${MARK} = 1"><script>window.${MARK} = 1</script>`;
/** Terminal codes: a link, a window title, clearing the screen, a cursor position outside it, a color. */
const ANSI = `\\x1b]8;;javascript:window.${MARK}=1\\x1b\\\\go\\x1b]8;;\\x1b\\\\ \\x1b]0;${MARK}\\x07\\x1b[2J\\x1b[999;999H\\x1b[31m`;

const TEXTS: readonly { readonly name: string; readonly source: string; readonly shows: string }[] = [
  { name: 'ANSI', source: `print("${ANSI}" + ${JSON.stringify(TRAP)})`, shows: TRAP },
  { name: 'an error', source: `raise ValueError(${JSON.stringify(TRAP)})`, shows: TRAP },
  { name: 'a shown value', source: JSON.stringify(TRAP), shows: TRAP },
  {
    name: 'names of columns and keys',
    source: `{${JSON.stringify(TRAP)}: [${JSON.stringify(TRAP)}]}`,
    shows: 'onerror=',
  },
  {
    name: 'a variable with unusual letters',
    source: `ａ＿b\u0338\u0321ג = ${JSON.stringify(TRAP)}\nprint(ａ＿b\u0338\u0321ג)`,
    shows: TRAP,
  },
];
test('[WI-86] hostile text in any output is shown as text', async ({ page, serveReal }) => {
  const { url } = await serveReal(TEXTS.map(({ source }, at) => ({ id: `t${at}`, source })));
  await openLive(page, url);
  const title = await page.title();
  for (const [at, { name, shows }] of TEXTS.entries()) {
    await test.step(name, async () => {
      const cell = page.locator(`[data-cell-id=t${at}]`);
      await cell.getByRole('button', { name: /^Run cell/ }).click();
      await expect(page.locator(`[data-results=t${at}]`)).toContainText(shows);
      await expect(page.locator('a[href^="javascript:" i]')).toHaveCount(0);
      expect([await traceIn(page), await page.title(), page.url()]).toEqual([null, title, url]);
    });
  }
});
