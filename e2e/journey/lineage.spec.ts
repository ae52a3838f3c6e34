/** The lineage of artifacts and the comparison of two versions in a browser, against a real server. */

import { expect } from '@playwright/test';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/realServerFixture.ts';
import { startServerProcess } from '../support/serverProcess.ts';

interface Import {
  readonly id: string;
  readonly version?: number;
  readonly inputs?: readonly string[];
  readonly params?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, readonly number[]>>;
}

/** Imports a version with the cell that made it, like a promotion. */
async function putVersion(url: string, at: Import): Promise<void> {
  const { id, version = 1, inputs = [], params = {}, data = { id: [1, 2] } } = at;
  const columns = Object.entries(data).map(([name, values]) => [name, Int32Array.from(values)]);
  const form = new FormData();
  const metadata = {
    id,
    version,
    created_at: Date.now() / 1000,
    state: 'ready',
    provenance_hash: Buffer.from(`${id} ${version}`).toString('hex').padEnd(64, '0').slice(0, 64),
    transform_spec: { executor: 'notebook/cell@v1', params },
    input_versions: Object.fromEntries(inputs.map((input) => [`svc://artifact/${input}`, input])),
  };
  form.append('metadata', JSON.stringify(metadata));
  const bytes = tableToIPC(tableFromArrays(Object.fromEntries(columns)), 'stream');
  form.append('data', new Blob([new Uint8Array(bytes)]), 'data.arrow');
  const response = await fetch(`${url}/v1/artifacts/import`, { method: 'POST', body: form });
  expect(response.status, await response.text()).toBe(200);
}

test('[RG-30] the lineage is followed across notebooks by click, by key and as a list; [RG-31] two versions are compared', async ({
  page,
  started,
}) => {
  const server = await startServerProcess();
  started.ends.push(() => server.dispose());
  started.origins.push(server.url);
  const { url } = server;
  const clean = 'nb_prepare_cell_tidy_var_clean';
  const model = 'nb_report_cell_fit_var_model';
  await putVersion(url, { id: 'raw' });
  const params = { cell_id: 'tidy', variable_name: 'clean' };
  await putVersion(url, { id: clean, inputs: ['raw@v=1'], params, data: { id: [1, 2, 3], v: [1, 2, 3] } });
  await putVersion(url, {
    id: clean,
    version: 2,
    inputs: ['raw@v=1'],
    params,
    data: { id: [3, 1, 4], v: [3, 9, 4] },
  });
  await putVersion(url, {
    id: model,
    inputs: [`${clean}@v=2`],
    params: { cell_id: 'fit', variable_name: 'model' },
  });
  // A lineage deeper than the part that is loaded first.
  for (const [at, input] of ['raw', 'deep1', 'deep2', 'deep3'].entries()) {
    await putVersion(url, { id: `deep${at + 1}`, inputs: [`${input}@v=1`] });
  }

  await page.goto(`${url}/#/artifacts`);
  await page.getByRole('button', { name: /^raw ?@v=1/ }).click();
  const details = page.getByRole('complementary', { name: 'Details of the artifact' });
  await expect(details.getByRole('region', { name: 'Kept because' })).toContainText(`Input of ${clean}@v=2`);
  await details.getByRole('button', { name: 'Lineage…' }).click();
  const lineage = page.getByRole('region', { name: 'Lineage' });
  const node = (name: string) => lineage.locator(`[data-lineage-node="${name}"]`);
  await expect(node('model v1')).toContainText('report · fit');
  await expect(node('deep3 v1')).toHaveCount(0);

  // By keyboard: loads more of the graph, then moves to the right and back.
  await lineage.getByLabel(/^Lineage graph/).focus();
  await node('deep2 v1').click();
  await expect(details.getByRole('heading', { level: 2 })).toHaveText('deep2');
  await page.keyboard.press('Enter');
  await expect(node('deep3 v1')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(details.getByRole('heading', { level: 2 })).toHaveText('deep3');
  await expect(lineage.getByRole('status')).toContainText('deep3 v1; Table');
  await page.keyboard.press('ArrowLeft');
  await expect(details.getByRole('heading', { level: 2 })).toHaveText('deep2');
  await expectAccessible(page);

  // As a list: from one notebook to another.
  await lineage.getByRole('radio', { name: 'List' }).click();
  await lineage.getByRole('region', { name: 'Inputs' }).getByRole('button', { name: /deep1/ }).click();
  await lineage.getByRole('region', { name: 'Inputs' }).getByRole('button', { name: /raw/ }).click();
  await lineage
    .getByRole('region', { name: 'Dependents' })
    .getByRole('button', { name: /clean v2.*prepare · tidy/ })
    .click();
  await lineage
    .getByRole('region', { name: 'Dependents' })
    .getByRole('button', { name: /model v1.*report · fit/ })
    .click();
  await expect(details.getByRole('heading', { level: 2 })).toHaveText(model);
  await expectAccessible(page);
  await lineage
    .getByRole('region', { name: 'Inputs' })
    .getByRole('button', { name: /clean v2/ })
    .click();

  await details.getByRole('button', { name: 'Compare…' }).click();
  const compare = page.getByRole('dialog', { name: `Compare ${clean}` });
  await expect(compare.getByRole('combobox', { name: 'Match rows by' })).toHaveText('id');
  await expect(compare.locator('.compare-facts')).toContainText('Rows added1 (4)');
  await expect(compare.locator('.compare-facts')).toContainText('Rows removed1 (2)');
  await expect(compare.locator('tbody td')).toHaveText(['1', 'v', '1', '9']);
  await compare.getByRole('combobox', { name: 'Match rows by' }).click();
  await page.getByRole('option', { name: 'Position' }).click();
  await expect(compare.locator('tbody td').first()).toHaveText('1');
  await expect(compare.locator('tbody tr')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await lineage.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('table')).toBeVisible();
});
