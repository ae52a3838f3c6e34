/** Benchmark rows of runs on a real server: edited cells, cancels, cache hits, a cascade of 20 cells, and run-all. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { editAndRun, runToReady } from '../editAndRun.ts';
import { type Group, percentile, repeat } from '../row.ts';

export const runRows: Group = {
  title: 'edited cell, cancel, cache hit, cascade, run-all',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'run'), {
      cells: [
        { id: 'trivial1', source: '1' },
        { id: 'sleeper1', source: 'import time\ntime.sleep(60)' },
        ...Array.from({ length: 20 }, (_, i) => ({
          id: `chain${String(i).padStart(3, '0')}`,
          source: i === 0 ? 'c0 = 1' : `c${i} = c${i - 1} + 1`,
        })),
      ],
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path);
    const live = await connectLive(server.url, session_id);
    await runToReady(live, 'trivial1');

    const count = smoke ? 20 : 100;
    const paced: number[] = [];
    for (let i = 0; i < (smoke ? 5 : 30); i++) {
      paced.push(await editAndRun(live, 'trivial1', `${i} + 1`));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    record('edited cell, paced', paced);
    const tight: number[] = [];
    for (let i = 0; i < count; i++) tight.push(await editAndRun(live, 'trivial1', `${i} + 2`));
    record('edited cell, back to back', tight);
    record('edited cell, p99', [percentile(tight, 99)]);

    const cancels: number[] = [];
    for (let i = 0; i < (smoke ? 3 : 15); i++) {
      const since = live.mark();
      live.send('cell_execute', { cell_id: 'sleeper1' });
      await live.next('cell_status', {
        since,
        where: (p) => p.cell_id === 'sleeper1' && p.status === 'running',
      });
      await new Promise((resolve) => setTimeout(resolve, 150));
      const cancelAt = live.mark();
      const startedAt = performance.now();
      live.send('cell_cancel', { cell_id: 'sleeper1' });
      await live.next('cell_status', {
        since: cancelAt,
        where: (p) => p.cell_id === 'sleeper1' && p.status === 'idle',
      });
      cancels.push(performance.now() - startedAt);
    }
    record('cancel', cancels);

    const hits: number[] = [];
    for (let i = 0; i < count; i++) hits.push(await runToReady(live, 'trivial1'));
    record('cache hit, live', hits);
    record(
      'cache hit, REST',
      await repeat(count, () =>
        rest(server.url, 'POST', `/v1/notebooks/${session_id}/cells/trivial1/execute`),
      ),
    );

    const chains: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 7); i++) {
      live.send('cell_source_update', { cell_id: 'chain000', source: `c0 = ${i + 10}` });
      await live.next('dag_update', { since: live.mark() });
      const since = live.mark();
      live.send('cell_execute', { cell_id: 'chain019' });
      const prompt = await live.next('cascade_prompt', { since });
      const startedAt = performance.now();
      live.send('cell_execute_cascade', { cell_id: 'chain019', plan_id: prompt.payload.plan_id });
      await live.next('cell_status', {
        since,
        where: (p) => p.cell_id === 'chain019' && p.status === 'ready',
      });
      chains.push(performance.now() - startedAt);
    }
    record('chain of 20, cascade', chains);
    await live.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });

    for (const cells of smoke ? [100] : [20, 100]) await runAllRows(record, { cells, smoke });
  },
};

async function runAllRows(
  record: Parameters<Group['run']>[0],
  options: { readonly cells: number; readonly smoke: boolean },
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
  const last = `c${String(options.cells - 1).padStart(4, '0')}`;
  const path = await writeNotebook(join(dir, 'all'), {
    cells: Array.from({ length: options.cells }, (_, i) => ({
      id: `c${String(i).padStart(4, '0')}`,
      source: `v${i} = ${i}\nv${i}`,
    })),
  });
  const server = await startServerProcess({ grants: [dir] });
  const { session_id } = await openReady(server.url, path);
  const live = await connectLive(server.url, session_id);
  const runAll = async (type: 'notebook_run_all' | 'notebook_rerun_all'): Promise<number> => {
    const since = live.mark();
    const startedAt = performance.now();
    live.send(type, {});
    await live.next('cell_status', {
      since,
      where: (p) => p.cell_id === last && p.status === 'ready',
      timeoutMs: 120_000,
    });
    return performance.now() - startedAt;
  };
  await runAll('notebook_run_all');
  const cached: number[] = [];
  for (let i = 0; i < (options.smoke ? 2 : 7); i++) cached.push(await runAll('notebook_run_all'));
  record(`run-all cached, ${options.cells} cells`, cached);
  if (options.cells === 100) {
    let over = false;
    const health: number[] = [];
    const rerun = runAll('notebook_rerun_all').finally(() => {
      over = true;
    });
    while (!over) {
      const startedAt = performance.now();
      await fetch(`${server.url}/health`);
      health.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const samples = [await rerun];
    for (let i = 0; i < (options.smoke ? 0 : 3); i++) samples.push(await runAll('notebook_rerun_all'));
    record('run-all re-run, 100 cells', samples);
    record('health during re-run', health);
  }
  await live.close();
  await server.dispose();
  await rm(dir, { recursive: true, force: true });
}
