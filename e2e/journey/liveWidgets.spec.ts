import { execFileSync } from 'node:child_process';
import { expect, type FrameLocator, type Page } from '@playwright/test';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { expectAccessible } from '../support/axe.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';
import { closeWhenSettled, openReady, rest } from '../support/rest.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
const PYTHON = process.env['CELLAR_TEST_PYTHON'];

/** Adds the packages of the test interpreter to a cell, because the notebook of a test has no packages. */
function lending(source: string): string {
  const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const packages = execFileSync(PYTHON ?? '', ['-c', where], { encoding: 'utf8' }).trim();
  return `import sys; sys.path.insert(0, ${JSON.stringify(packages)})\n${source}`;
}

const SQUARE = `import ipywidgets as w
@w.interact(x=(0, 10))
def square(x=4):
    print(x, 'squared is', x * x)`;

const OTHERS = `import anywidget, traitlets
import ipywidgets as wd
class Counter(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
      const button = document.createElement("button");
      const draw = () => { button.textContent = "count is " + model.get("count"); };
      button.onclick = () => { model.set("count", model.get("count") + 1); model.save_changes(); };
      model.on("change:count", draw); draw(); el.append(button);
    } }"""
    _css = "button { font-weight: bold }"
    count = traitlets.Int(0).tag(sync=True)
class Figure(wd.DOMWidget):
    _view_name = traitlets.Unicode("FigureView").tag(sync=True)
    _view_module = traitlets.Unicode("bqplot").tag(sync=True)
    _model_name = traitlets.Unicode("FigureModel").tag(sync=True)
    _model_module = traitlets.Unicode("bqplot").tag(sync=True)
counter, total = Counter(), wd.Label("python says 0")
counter.observe(lambda change: setattr(total, "value", f"python says {change.new}"), "count")
wd.VBox([counter, total, Figure(), wd.Dropdown(options=["one", "two"]), wd.Button(description="Go", icon="play")])`;

const frameOf = (page: Page, id: string): FrameLocator =>
  page.frameLocator(`[data-results=${id}] iframe.output-frame`);

async function run(page: Page, id: string): Promise<void> {
  await page.locator(`[data-cell-id=${id}] .bar`).click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Control+Enter');
}

/** Presses a key that sets the slider until its function has printed this text, as the frame may be redrawn. */
async function move(frame: FrameLocator, key: 'Home' | 'End', printed: string): Promise<void> {
  await expect(async () => {
    await frame.locator('.noUi-handle').press(key, { timeout: 10_000 });
    await expect(frame.locator('.cellar-output')).toHaveText(printed, { timeout: 5_000 });
  }).toPass();
}

test('[WG-37] [WG-33] widgets are live after a run and a reload, and show their last state after a close', async ({
  page,
  serveReal,
}) => {
  test.skip(PYTHON === undefined, 'needs an interpreter with ipywidgets and anywidget');
  const refused: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) refused.push(line.text());
  });
  const { url, server, dir, sessionId } = await serveReal([
    { id: 'square', source: lending(SQUARE) },
    { id: 'others', source: lending(OTHERS) },
  ]);
  await openLive(page, url);
  await run(page, 'square');
  const square = frameOf(page, 'square');
  await expect(square.locator('.cellar-output')).toHaveText('4 squared is 16');
  const results = page.locator('[data-results=square]');
  await expect(results.getByRole('status')).toHaveCount(0);
  await expect(statusOf(page, 'square')).toHaveAttribute('data-status', 'ready');
  const stored = async () => {
    const { body } = await rest<{ cells: readonly Cell[] }>(
      server.url,
      'GET',
      `/v1/notebooks/${sessionId}/cells`,
    );
    return body.cells.map(({ id, status, display_outputs }) => ({ id, status, display_outputs }));
  };
  const before = await stored();
  expect(before[0]).toMatchObject({ id: 'square', status: 'ready', display_outputs: [{ error: null }] });

  await test.step('a moved slider calls the function, and its output is shown', async () => {
    await move(square, 'End', '10 squared is 100');
    expect(await stored()).toEqual(before);
  });

  await test.step('anywidget works, and a missing library is named', async () => {
    await run(page, 'others');
    const others = frameOf(page, 'others');
    await others.getByRole('button', { name: 'count is 0' }).click();
    await expect(others.getByRole('button', { name: 'count is 1' })).toBeVisible();
    await expect(others.getByText('python says 1')).toBeVisible();
    await expect(others.locator('.cellar-missing')).toContainText(
      'Figure needs the JavaScript of bqplot, which was not stored with this output',
    );
  });

  if (SHOTS !== undefined) {
    await frameOf(page, 'others').getByRole('button', { name: 'Go' }).scrollIntoViewIfNeeded();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/live-widgets-${colorScheme}.png` });
    }
  }

  await test.step('a reload shows the state of the kept process', async () => {
    await page.reload();
    await expect(square.locator('.cellar-output')).toHaveText('10 squared is 100');
    await move(square, 'Home', '0 squared is 0');
  });

  await test.step('a reopened notebook shows the last state, disabled', async () => {
    await page.goto('about:blank');
    await page.emulateMedia({ colorScheme: 'light' });
    await closeWhenSettled(server.url, sessionId);
    const again = await openReady(server.url, dir);
    await page.goto(`${server.url}/#/notebook/${again.session_id}?path=${encodeURIComponent(dir)}`);
    await expect(square.locator('.cellar-output')).toHaveText('4 squared is 16');
    await expect(results.getByRole('status')).toContainText('Last state of this widget.');
    await expect(square.locator('.noUi-target')).toHaveAttribute('disabled', /.*/);
    await expectAccessible(page, { only: '[data-results=square]' });
    if (SHOTS !== undefined) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${SHOTS}/stored-widgets-${colorScheme}.png` });
      }
    }
    await results.getByRole('button', { name: 'Run to make it live' }).click();
    await expect(results.getByRole('status')).toHaveCount(0);
    await move(square, 'End', '10 squared is 100');
  });
  expect(refused).toEqual([]);
});
