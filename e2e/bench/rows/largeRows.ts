/** Benchmark rows of edits, runs and REST calls in chains of 10, 100 and 500 cells, on a real server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { type Group, repeat } from '../row.ts';
import { chainCells } from './lifecycleRows.ts';

export const largeRows: Group = {
  title: 'edits and runs in 10, 100 and 500 cells',
  async run(record, { smoke }) {
    // The first samples include compilation, so the median of a few samples differs from that of many.
    const count = smoke ? 15 : 30;
    for (const cells of smoke ? [500] : [10, 100, 500]) {
      const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
      const path = await writeNotebook(join(dir, 'large'), { cells: chainCells(cells) });
      const server = await startServerProcess({ grants: [dir] });
      const { session_id } = await openReady(server.url, path);
      const live = await connectLive(server.url, session_id);
      const target = `cell${String(cells - 1).padStart(4, '0')}`;
      record(
        `source update, ${cells} cells`,
        await repeat(count, async (i) => {
          const since = live.mark();
          live.send('cell_source_update', { cell_id: target, source: `last = value_${cells - 2} + ${i}` });
          await live.next('dag_update', { since });
        }),
      );
      if (cells === 500) {
        const base = `/v1/notebooks/${session_id}/cells`;
        record(
          'sync, 500 cells',
          await repeat(count, async () => {
            const since = live.mark();
            live.send('notebook_sync', {});
            await live.next('notebook_state', { since });
          }),
        );
        const runs: number[] = [];
        for (let i = 0; i < count; i++) {
          live.send('cell_source_update', { cell_id: 'cell0000', source: `value_0 = ${i}` });
          const since = live.mark();
          await live.next('dag_update', { since });
          const startedAt = performance.now();
          live.send('cell_execute', { cell_id: 'cell0000' });
          await live.next('cell_status', {
            since,
            where: (p) => p.cell_id === 'cell0000' && p.status === 'ready',
          });
          runs.push(performance.now() - startedAt);
        }
        record('root cell, 500 cells', runs);
        record(
          'REST edit, 500 cells',
          await repeat(count, (i) => rest(server.url, 'PUT', `${base}/${target}`, { source: `last = ${i}` })),
        );
        record('REST add, 500 cells', await repeat(count, () => rest(server.url, 'POST', base, {})));
      }
      await live.close();
      await server.dispose();
      await rm(dir, { recursive: true, force: true });
    }
  },
};
