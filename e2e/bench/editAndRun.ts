import type { LiveClient } from '../support/liveClient.ts';

/** Gives a cell another source and runs it: milliseconds from asking for the run until it is ready. */
export async function editAndRun(live: LiveClient, cell: string, source: string): Promise<number> {
  await edit(live, cell, source);
  return runToReady(live, cell);
}

/** Ends when the edit was taken. */
export async function edit(live: LiveClient, cell: string, source: string): Promise<void> {
  const since = live.mark();
  live.send('cell_source_update', { cell_id: cell, source });
  await live.next('dag_update', { since });
}

/** @throws Error where the cell fails */
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
