/** Tests cells on a real server that read an Iceberg table without a pinned snapshot. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlaneTables, writePlaneTables } from '../../src-main/dataPlane/testing/planeWorld.ts';
import { PYTHON } from '../../src-main/iceberg/testing/pyiceberg.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

describe.skipIf(PYTHON === undefined)('[MT-32] a cell that reads a table without a pin', () => {
  let root = '';
  let tables: PlaneTables;
  let server: ServerProcess;
  let notebook: OpenNotebook;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-table-cells-'));
    tables = await writePlaneTables();
    server = await startServerProcess({ grants: [root] });
    notebook = await openNotebook(server, join(root, 'notebook'), [
      { id: 'orders01', source: `# @table orders ${tables.uri('orders')}\nf"{orders} {orders_snapshot}"` },
      { id: 'empty001', source: `# @table empty ${tables.uri('empty')}\nempty_snapshot is None` },
      { id: 'missing1', source: `# @table none ${tables.uri('none')}\n1` },
    ]);
  });
  afterAll(async () => {
    await server.dispose();
    await tables.remove();
    await rm(root, { recursive: true, force: true });
  });

  it('gets the newest snapshot, is a hit while there is no newer one, and then runs again', async () => {
    const newest = () => tables.snapshots.at(-1);
    expect(await notebook.execute('orders01')).toMatchObject({ status: 'ready', cache_hit: false });
    expect((await notebook.cell('orders01')).display_output?.preview).toContain(newest());
    expect(await notebook.execute('orders01')).toMatchObject({ status: 'ready', cache_hit: true });
    const after = (await tables.append()).at(-1);
    expect(await notebook.execute('orders01')).toMatchObject({ status: 'ready', cache_hit: false });
    expect((await notebook.cell('orders01')).display_output?.preview).toContain(after);
    expect(await notebook.execute('orders01')).toMatchObject({ status: 'ready', cache_hit: true });
  });

  it('is never a hit and gets None if the table has no snapshots', async () => {
    for (let i = 0; i < 2; i += 1) {
      expect(await notebook.execute('empty001')).toMatchObject({ status: 'ready', cache_hit: false });
    }
    expect((await notebook.cell('empty001')).display_output?.preview).toBe(true);
  });

  it('fails with the reason if the table is not in its catalog', async () => {
    const answer = await notebook.execute('missing1');
    expect(answer.status).toBe('error');
    expect(JSON.stringify(answer)).toContain(
      'The @table `none` cannot be used. The catalog has no table ns.none.',
    );
  });
});
