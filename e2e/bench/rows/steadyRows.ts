/**
 * Benchmark rows of a notebook of 200 cells over 1,000 runs: cached run-all, event-loop delay, memory growth, and edits
 * with cascades.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { PROJECT_ROOT, startServerProcess } from '../../support/serverProcess.ts';
import { edit } from '../editAndRun.ts';
import type { Group, RecordSamples } from '../row.ts';

const CELLS = 200;
const CHAIN = 4;

/** Fifty chains of four cells: an edit of the first cell makes the three below it stale. */
function chains(): { id: string; source: string }[] {
  return Array.from({ length: CELLS }, (_, i) => ({
    id: `c${String(i).padStart(4, '0')}`,
    source: i % CHAIN === 0 ? `v${i} = ${i}` : `v${i} = v${i - 1} + 1`,
  }));
}

/** Edits the first cell of a chain and runs the last one; returns the ms from the request of the run to ready. */
async function editAndCascade(live: LiveClient, value: number): Promise<number> {
  await edit(live, 'c0000', `v0 = ${value}`);
  const since = live.mark();
  const startedAt = performance.now();
  live.send('cell_execute', { cell_id: 'c0003' });
  const prompt = await live.next('cascade_prompt', { since });
  live.send('cell_execute_cascade', { cell_id: 'c0003', plan_id: prompt.payload.plan_id });
  await live.next('cell_status', { since, where: (p) => p.cell_id === 'c0003' && p.status === 'ready' });
  return performance.now() - startedAt;
}

/** The figures of these rows are acceptance criteria. */
export const steadyRows: Group = {
  title: 'a 200-cell notebook over many runs',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'steady'), { cells: chains() });
    const probed = join(dir, 'probed.json');
    const server = await startServerProcess({
      grants: [dir],
      env: {
        NODE_OPTIONS: `--import ${join(PROJECT_ROOT, 'e2e/support/serverProbe.mjs')}`,
        PROBE_FILE: probed,
      },
    });
    const { session_id } = await openReady(server.url, path);
    const live = await connectLive(server.url, session_id);
    await runAll(live);
    process.kill(server.pid, 'SIGUSR2');
    const cached: number[] = [];
    for (let i = 0; i < (smoke ? 3 : 20); i++) cached.push(await runAll(live));
    record('run-all cached, 200 cells', cached);
    await longWork(record, { live, pid: server.pid, runs: smoke ? 100 : 1_000 });
    await live.close();
    await server.stop();
    const { p99, heaps } = JSON.parse(await readFile(probed, 'utf8')) as Probed;
    record('loop delay p99, 200 cells', [p99]);
    record('memory over 1,000 runs', [(heaps.at(-1) ?? Number.NaN) - (heaps.at(-2) ?? Number.NaN)]);
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};

interface Probed {
  readonly p99: number;
  readonly heaps: readonly number[];
}

async function longWork(
  record: RecordSamples,
  options: { readonly live: LiveClient; readonly pid: number; readonly runs: number },
): Promise<void> {
  const { live, pid, runs } = options;
  const samples: number[] = [];
  // Four cells run each time. The first fifth fills caches and compiles.
  for (let done = 0; done < runs; done += CHAIN) {
    if (done === runs / 5) process.kill(pid, 'SIGUSR2');
    samples.push(await editAndCascade(live, done + 1_000));
  }
  process.kill(pid, 'SIGUSR2');
  // The server answers this request only after it has handled the signal.
  await runAll(live);
  record('edit and 3 below, 200 cells', samples);
}

async function runAll(live: LiveClient): Promise<number> {
  const since = live.mark();
  const startedAt = performance.now();
  live.send('notebook_run_all', {});
  await live.next('cell_status', {
    since,
    where: (p) => p.cell_id === `c${String(CELLS - 1).padStart(4, '0')}` && p.status === 'ready',
    timeoutMs: 120_000,
  });
  return performance.now() - startedAt;
}
