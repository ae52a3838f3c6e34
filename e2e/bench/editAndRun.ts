/** Edits and runs a cell over the live protocol and measures the time, for benchmark rows. */

import type { LiveClient } from '../support/liveClient.ts';

/** Changes the source of a cell and runs it; returns the ms from the request of the run until the cell is ready. */
export async function editAndRun(live: LiveClient, cell: string, source: string): Promise<number> {
  await edit(live, cell, source);
  return runToReady(live, cell);
}

/** Edits a cell; resolves when the server has accepted the edit. */
export async function edit(live: LiveClient, cell: string, source: string): Promise<void> {
  const since = live.mark();
  live.send('cell_source_update', { cell_id: cell, source });
  await live.next('dag_update', { since });
}

/** Runs a cell; returns the ms until it is ready. @throws Error if the cell fails */
export async function runToReady(live: LiveClient, cell: string): Promise<number> {
  const since = live.mark();
  const startedAt = performance.now();
  live.send('cell_execute', { cell_id: cell });
  const ended = await live.next('cell_status', {
    since,
    where: (p) => p.cell_id === cell && (p.status === 'ready' || p.status === 'error'),
    timeoutMs: 120_000,
  });
  if (ended.payload.status !== 'ready') throw new Error(`the cell ${cell} failed`);
  return performance.now() - startedAt;
}
