import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const SOURCE = 'first = 1\nsecond = 2';
const notebook = () =>
  fakeBody({ name: 'Early', cells: [fakeCell({ id: 'a', source: SOURCE, status: 'ready' })] });

/** How the cell is entered and what is pressed before the editor is there, then after; what the text is then. */
const ROWS: readonly {
  readonly name: string;
  readonly click: boolean;
  readonly before: readonly string[];
  readonly is: string;
}[] = [
  { name: 'a first letter', click: false, before: ['i'], is: `iX${SOURCE}` },
  { name: 'a caret moved to the end', click: false, before: ['Control+End', 'i'], is: `${SOURCE}iX` },
  { name: 'a caret on another line', click: false, before: ['ArrowDown', 'End'], is: `${SOURCE}X` },
  { name: 'a text that is chosen', click: false, before: ['Control+A'], is: 'X' },
  { name: 'a click', click: true, before: ['i'], is: `iX${SOURCE}` },
];
for (const { name, click, before, is } of ROWS) {
  test(`[ED-41] ${name} before the editor has loaded: typing goes on there`, async ({ page, serve }) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/monacoSetup/, async (route) => {
      await released;
      await route.continue();
    });
    const { fake, url } = await serve(notebook());
    await openPage(page, url);
    const cell = page.locator('[data-cell-id=a]');
    if (click) await cell.locator('.code-text').click({ position: { x: 1, y: 8 } });
    else {
      await cell.focus();
      await page.keyboard.press('Enter');
    }
    await expect(cell.locator('[data-editor=plain]')).toBeFocused();
    for (const key of before) await page.keyboard.press(key);
    release();
    await expect(cell.locator('[data-editor=live]')).toBeVisible();
    await page.keyboard.press('X');
    await expect.poll(() => fake.cell('a').source).toBe(is);
  });
}

test('[ED-41] a cell that is named anew while it is typed in leaves the caret where it is', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await cell.locator('.code-text').click({ position: { x: 1, y: 8 } });
  await expect(cell.locator('[data-editor=live]')).toBeVisible();
  await page.keyboard.type('one');
  await expect.poll(() => fake.cell('a').source).toBe(`one${SOURCE}`);
  fake.setCell('a', { defines: ['renamed'] });
  fake.broadcastState();
  await expect(cell).toContainText('renamed');
  await page.keyboard.type('two');
  await expect.poll(() => fake.cell('a').source).toBe(`onetwo${SOURCE}`);
});

for (const codeSize of [11, 16]) {
  test(`[ED-41] a click puts the caret where it was, also in code of ${codeSize} px`, async ({
    page,
    serve,
  }) => {
    await page.addInitScript(
      (kept) => localStorage.setItem('cellar.preferences', kept),
      JSON.stringify({ codeSize }),
    );
    const lines = Array.from({ length: 12 }, (_, i) => `line_${i} = ${i}`);
    const { fake, url } = await serve(
      fakeBody({ name: 'Sizes', cells: [fakeCell({ id: 'a', source: lines.join('\n'), status: 'ready' })] }),
    );
    await openPage(page, url);
    const text = page.locator('[data-cell-id=a] .code-text');
    const place = await text.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf('line_9') ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at + 6);
        range.collapse(true);
        const box = range.getBoundingClientRect();
        return { x: box.left, y: box.top + box.height / 2 };
      }
      throw new Error('the line is not shown');
    });
    await page.mouse.click(place.x, place.y);
    await expect(page.locator('[data-cell-id=a] [data-editor=live]')).toBeVisible();
    await page.keyboard.press('X');
    lines[9] = 'line_9X = 9';
    await expect.poll(() => fake.cell('a').source).toBe(lines.join('\n'));
  });
}
