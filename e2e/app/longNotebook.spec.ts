/**
 * Tests notebooks of 60 and 120 cells in a browser: cells off screen are not laid out but keep their height and state,
 * and searches find them. With a fake server.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { TRIP_COLUMNS, tripRows } from '../support/fakeServerSamples.ts';

const COUNT = 120;
const notebook = () =>
  fakeBody({
    name: 'Long',
    cells: Array.from({ length: COUNT }, (_none, at) =>
      fakeCell({
        id: `c${at}`,
        defines: [`v${at}`],
        status: 'ready',
        source: Array.from({ length: 1 + (at % 9) }, (_line, line) => `v${at} = ${line}`).join('\n'),
        console_stdout: at % 3 === 0 ? 'a line\n'.repeat(at % 7) : '',
        display_outputs:
          at % 4 === 0 ? [fakeOutput({ content_type: 'json/object', preview: { a: at, b: [1, 2] } })] : [],
      }),
    ),
  });

async function atRest(page: Page, count = COUNT): Promise<void> {
  await expect(page.locator('.place.resting')).toHaveCount(count);
  await expect(page.locator('.rest-group:not(.resting)')).toHaveCount(0);
}

/** The height of the page now, and with every cell laid out. */
async function heights(page: Page): Promise<{ resting: number; awake: number }> {
  return page.evaluate(() => {
    const box = document.querySelector('[data-scroll-root]');
    const resting = box?.scrollHeight ?? 0;
    const style = document.createElement('style');
    style.textContent = '.place, .rest-group { content-visibility: visible !important }';
    document.head.append(style);
    const awake = box?.scrollHeight ?? 1;
    style.remove();
    return { resting, awake };
  });
}

async function checkHeights(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await atRest(page);
      const { resting, awake } = await heights(page);
      return awake - resting;
    })
    .toBe(0);
}

test('cells off screen are not laid out, but keep their height, and are found and announced', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await atRest(page);

  await test.step('sources near the viewport are highlighted before they are visible; distant ones are not', async () => {
    const below = await page.evaluate(() => {
      const box = document.querySelector('[data-scroll-root]');
      const cells = [...document.querySelectorAll<HTMLElement>('[data-cell-id]')];
      const bottom = box?.getBoundingClientRect().bottom ?? 0;
      return cells.find((cell) => cell.getBoundingClientRect().top > bottom + 40)?.dataset['cellId'];
    });
    await expect(page.locator(`[data-cell-id=${below}] .code-text span`).first()).toBeAttached();
    await expect(page.locator(`[data-cell-id=c${COUNT - 1}] .code-text span`)).toHaveCount(0);
  });

  await test.step('the height of the page stays right when outputs or its width change', async () => {
    await checkHeights(page);
    fake.output('c100', { stdout: 'many\n'.repeat(12) });
    await expect(page.locator('[data-cell-id=c100] .console')).toContainText('many');
    await checkHeights(page);
    await page.setViewportSize({ width: 700, height: 800 });
    await checkHeights(page);
  });

  await test.step('find and screen readers reach every cell', async () => {
    await expect(page.getByRole('list', { name: 'Cells' }).getByRole('listitem')).toHaveCount(COUNT);
    const matches = await page.evaluate(() => {
      const find = Reflect.get(window, 'find') as (text: string) => boolean;
      return find.call(window, 'v117 = 0');
    });
    expect(matches).toBe(true);
  });
});

test('[WI-78] a key press changes only the text of the edited cell in the page', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=c1] .code').click();
  await expect(page.locator('[data-cell-id=c1] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await atRest(page);
  await page.evaluate(() => {
    const changes = new Set<string>();
    Reflect.set(window, 'changes', changes);
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const id = element?.closest<HTMLElement>('[data-cell-id]')?.dataset['cellId'];
        const inText = element?.closest('[data-editor]') !== null;
        changes.add(id === undefined ? (element?.className ?? 'gone') : inText ? `text of ${id}` : id);
      }
    }).observe(document.querySelector('.cells') ?? document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  // One key at a time: late highlighting after the opening of the page may change another cell, but only once.
  await expect
    .poll(async () => {
      await page.evaluate(() => (Reflect.get(window, 'changes') as Set<string>).clear());
      await page.keyboard.type('7');
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
      return page.evaluate(() => [...(Reflect.get(window, 'changes') as Set<string>)]);
    })
    .toEqual(['text of c1']);
});

/** Ids in the order of the page. */
function order(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-cell-id]')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-cell-id')));
}

test('[WI-78] a cell that moves to another group keeps its state and what is open in it', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  await openPage(page, url);
  await atRest(page);
  const last = await page.locator('.rest-group').first().locator('[data-cell-id]').last().elementHandle();
  const id = await last?.getAttribute('data-cell-id');
  expect(await page.locator('.rest-group').count()).toBeGreaterThan(3);
  for (const to of [60, 119, 0]) {
    const others = fake.body.cells.filter((cell) => cell.id !== id);
    fake.body = { ...fake.body, cells: [...others.slice(0, to), fake.cell(id ?? ''), ...others.slice(to)] };
    fake.broadcastState();
    await expect.poll(() => order(page)).toEqual(fake.body.cells.map((cell) => cell.id));
    expect(await last?.evaluate((cell) => cell.isConnected)).toBe(true);
    await checkHeights(page);
  }
  // Complete groups of cells are removed and added.
  const [some, all] = [fake.body.cells.slice(100), fake.body.cells];
  for (const cells of [some, all, [], all]) {
    fake.body = { ...fake.body, cells };
    fake.broadcastState();
    await expect.poll(() => order(page)).toEqual(cells.map((cell) => cell.id));
    await expect(page.locator('.rest-group:empty')).toHaveCount(0);
  }
  await atRest(page);
  await checkHeights(page);
});

test('nothing is hovered while the wheel scrolls; a cell shows its controls when scrolling has ended', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  await atRest(page);
  const moving = page.locator('[data-scroll-root][data-moving]');
  // At the pointer or near it, because between two cells nothing is hovered either.
  const under = (): Promise<boolean> =>
    page.evaluate(() =>
      [-60, -40, -20, 0, 20, 40, 60].some(
        (by) => document.elementFromPoint(640, 400 + by)?.closest('[data-cell-id]') != null,
      ),
    );
  await page.mouse.move(640, 400);
  expect(await under()).toBe(true);
  // The state lasts a tenth of a second, which is too short to poll for.
  await page.evaluate(() => {
    const root = document.querySelector('[data-scroll-root]');
    if (root === null) throw new Error('nothing scrolls');
    const changes = new MutationObserver((records) => {
      Reflect.set(window, 'turns', Number(Reflect.get(window, 'turns') ?? 0) + records.length);
    });
    changes.observe(root, { attributeFilter: ['data-moving'] });
  });
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'turns'))).toBeGreaterThan(1);
  await expect(moving).toHaveCount(0);
  await expect.poll(under).toBe(true);
  await expect(page.locator('.drag-handle')).toHaveCount(1);
  const hovered = await page.evaluate(() =>
    [-60, -40, -20, 0, 20, 40, 60]
      .map((by) => document.elementFromPoint(640, 400 + by)?.closest('[data-cell-id]'))
      .map((cell) => cell?.getAttribute('data-cell-id') ?? null),
  );
  const controls = page.locator('[data-cell-id]', { has: page.locator('.drag-handle') });
  expect(hovered).toContain(await controls.getAttribute('data-cell-id'));
  // With a stopped clock, scrolling never ends.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.mouse.wheel(0, 200);
  await expect(moving).toHaveCount(1);
  expect(await under()).toBe(false);
  await page.mouse.move(640, 401);
  await expect(moving).toHaveCount(0);
  expect(await under()).toBe(true);
  // Later scrolling by keys and jumps does not disable hovering.
  await page.clock.fastForward(1_000);
  await page.keyboard.press('PageDown');
  await page.evaluate(() => document.querySelector('[data-scroll-root]')?.scrollBy(0, 300));
  await expect(moving).toHaveCount(0);
});

/** Heights of all cells by id. */
function cellHeights(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[data-cell-id]')].map((cell) => [
        cell.dataset['cellId'],
        cell.closest('.place')?.getBoundingClientRect().height ?? 0,
      ]),
    ),
  );
}

test('[WI-70] a distant cell is plain text, and already has its final height', async ({ page, serve }) => {
  const sources = ['', 'a = 1', 'a = 1\n', '\n', 'a\n\n', '\n\na = 1', `wide = "${'x'.repeat(400)}"`];
  const cells = Array.from({ length: 60 }, (_none, at) =>
    fakeCell({
      id: `c${at}`,
      defines: [`v${at}`],
      status: 'ready',
      source: sources[at % sources.length] ?? '',
      console_stdout: ['', 'one\n', 'one\ntwo', '\n\n', 'x'.repeat(90)][at % 5] ?? '',
      console_stderr: at % 4 === 1 ? 'careful\n'.repeat(1 + (at % 20)) : '',
      display_outputs:
        at % 3 === 2
          ? [
              fakeOutput({
                content_type: 'arrow/ipc',
                rows: 20,
                columns: TRIP_COLUMNS,
                preview: tripRows(20),
              }),
            ]
          : [],
    }),
  );
  const { url } = await serve(fakeBody({ name: 'Far', cells }));
  await openPage(page, url);
  await atRest(page, cells.length);
  const drawn = page.locator('.cell .bar + .code-click');
  // Distant cells have neither buttons nor a grid, but their complete text.
  const last = page.locator('[data-cell-id=c56]');
  await expect(last.locator('button, [role=grid]')).toHaveCount(0);
  await expect(last).toContainText(String(tripRows(20)[0]?.[0]));
  const before = await cellHeights(page);
  await page.evaluate(async () => {
    const box = document.querySelector('[data-scroll-root]');
    if (box === null) throw new Error('nothing scrolls');
    for (let top = 0; top < box.scrollHeight; top += box.clientHeight) {
      box.scrollTop = top;
      for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });
  await expect(drawn).toHaveCount(cells.length);
  await atRest(page, cells.length);
  await expect.poll(() => cellHeights(page)).toEqual(before);
});
