/**
 * Benchmark rows of the console on a real server: a cell that prints ten megabytes, and the delay of a cell's first
 * line.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import type { Group } from '../row.ts';

export const consoleRows: Group = {
  title: 'console: ten megabytes',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'console'), {
      cells: [
        { id: 'printer1', source: '' },
        { id: 'first001', source: '' },
      ],
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path);
    const live = await connectLive(server.url, session_id);
    const bulk: number[] = [];
    const firsts: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 7); i++) {
      const source = `for _ in range(100_000):\n    print("x" * 99)\n# ${i}\n${i}`;
      live.send('cell_source_update', { cell_id: 'printer1', source });
      const since = live.mark();
      await live.next('dag_update', { since });
      const startedAt = performance.now();
      live.send('cell_execute', { cell_id: 'printer1' });
      await live.next('cell_status', {
        since,
        where: (p) => p.cell_id === 'printer1' && p.status === 'ready',
      });
      bulk.push(performance.now() - startedAt);

      live.send('cell_source_update', {
        cell_id: 'first001',
        source: `import time\nprint(time.time_ns() // 1000)\ntime.sleep(0.4)\n${i}`,
      });
      const edit = live.mark();
      await live.next('dag_update', { since: edit });
      live.send('cell_execute', { cell_id: 'first001' });
      const line = await live.next('cell_console', { since: edit, where: (p) => p.cell_id === 'first001' });
      const now = performance.timeOrigin + performance.now();
      firsts.push(now - Number(line.payload.text.trim()) / 1000);
      await live.next('cell_status', {
        since: edit,
        where: (p) => p.cell_id === 'first001' && p.status === 'ready',
      });
    }
    record('console 10 MB', bulk);
    record('console first line', firsts);
    await live.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
