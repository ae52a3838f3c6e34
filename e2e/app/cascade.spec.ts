/** The dialog that lists the cells of a cascade: their names are those of the cards. Against a fake server. */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

test.use({ viewport: { width: 1280, height: 1400 } });

test('[WI-2] [WI-74] the dialog of a cascade names cells like their cards', async ({ page, serve }) => {
  const cells = [
    fakeCell({ id: 'a', source: 'import math', defines: ['math'] }),
    fakeCell({ id: 'b', source: 'import os\nrides = math.pi', defines: ['os', 'rides'] }),
    fakeCell({ id: 'c', source: 'print(rides)' }),
    fakeCell({ id: 'd', source: '# @name report\nend = rides', defines: ['end'] }),
  ];
  const { fake, url } = await serve(fakeBody({ name: 'Names', cells }));
  fake.setCell('d', { annotations: { ...fake.cell('d').annotations, name: 'report' } });
  const step = (id: string) => ({
    cell_id: id,
    // The server's name for the cell dates from the time of the request.
    cell_name: id,
    reason: id === 'd' ? ('target' as const) : ('missing' as const),
    skip: false,
    estimated_ms: 0,
  });
  const above = ['a', 'b', 'c', 'd'];
  const plan = { cell_id: 'd', plan_id: 'plan0002', estimated_duration_ms: 0 };
  fake.script = {
    cell_execute: (_payload, socket) =>
      fake.send('cascade_prompt', { ...plan, cells_to_run: above, steps: above.map(step) }, socket),
  };
  await openPage(page, url);
  const names = ['imports', 'rides', 'cell 3', 'report'];
  await expect(page.locator('.cell-name')).toHaveText(names);
  await expect(page.getByRole('listbox', { name: 'Outline' }).getByRole('option')).toContainText(names);
  await page.getByRole('button', { name: 'Run cell: report' }).click();
  await expect(page.getByRole('dialog').locator('.cell-question-name')).toHaveText(names);
});
