/**
 * Jupyter widgets in the whole window, against a fake server: with a live process, with a stored state only,
 * and without a state.
 */

import { fakeBody, fakeCell, fakeOutput } from '../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const VIEW = 'application/vnd.jupyter.widget-view+json';
const STATE = JSON.stringify({
  model_id: 'm',
  version_major: 2,
  version_minor: 0,
  state: { version_major: 2, version_minor: 0, state: {} },
});
const notebook = (output: object) =>
  fakeBody({
    name: 'Widgets',
    cells: [
      fakeCell({
        id: 'a',
        status: 'ready',
        display_outputs: [fakeOutput({ content_type: VIEW, preview: 'IntSlider(value=3)', ...output })],
      }),
    ],
  });
const stored = { bytes: STATE.length, artifact_uri: 'svc://artifact/a@v=1' };

test('[WG-34] a widget that is not live shows that, and one action runs its cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook(stored));
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from(STATE) });
  await openPage(page, url);
  const results = page.locator('[data-results=a]');
  await expect(results.locator('iframe')).toHaveCount(1);
  await expect(results.getByRole('status')).toContainText('Last state of this widget.');
  await results.getByRole('button', { name: 'Run to make it live' }).click();
  await expect
    .poll(() => fake.received.find(({ type }) => type === 'cell_execute_rerun')?.payload)
    .toEqual({
      cell_id: 'a',
      queue: true,
    });
});

test('[WG-34] a live widget has no note, and its end is explained', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook(stored));
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from(STATE) });
  fake.script = {
    widget_open: (_payload, socket) =>
      fake.send('widget_live', { cell_id: 'a', live_id: 'p1', state: JSON.parse(STATE).state }, socket),
  };
  await openPage(page, url);
  const results = page.locator('[data-results=a]');
  await expect(results.locator('iframe')).toHaveCount(1);
  await expect(results.getByRole('status')).toHaveCount(0);
  fake.send('widget_live', { cell_id: 'a', live_id: null, why: 'The process of these widgets ended.' });
  await expect(results.getByRole('status')).toContainText('The process of these widgets ended.');
});

test('[WG-34] a widget without its state is shown as text with what to do', async ({ page, serve }) => {
  const { url } = await serve(notebook({ bytes: 18 }));
  await openPage(page, url);
  const results = page.locator('[data-results=a]');
  await expect(results.locator('.output-text')).toHaveText('IntSlider(value=3)');
  await expect(results.getByRole('status')).toHaveText(
    'This widget was stored without its state. Run the cell to show it.',
  );
});
