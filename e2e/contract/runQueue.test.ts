/** Tests that a run queued over the live protocol of a real server still runs after its window has left. */

import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-queue-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

it('[EX-73] a run queued by a window that left still runs, with the text of that moment; a client without extensions is refused', async () => {
  // A pipe, which a reader waits for: a file that appears during the run would make the cell stale.
  const gate = join(root, 'gate');
  execFileSync('mkfifo', [gate]);
  const waits = `open(${JSON.stringify(gate)}).read()\nx0 = 0`;
  const later = Array.from({ length: 6 }, (_, at) => ({
    id: `c${at + 1}`,
    source: `x${at + 1} = ${at + 1}`,
  }));
  const notebook = await openNotebook(server, join(root, 'left'), [
    { id: 'c0', source: waits },
    ...later,
    { id: 'sum', source: 'print(x0 + x1 + x2 + x3 + x4 + x5 + x6)' },
  ]);
  const ids = ['c0', ...later.map(({ id }) => id), 'sum'];
  const live = await connectLive(server.url, notebook.sid, '?extensions=1');
  const plain = await connectLive(server.url, notebook.sid);
  live.send('run_queue_add', { cell_ids: ids, if_stale: true });
  const { payload } = await live.next('run_queue');
  expect(payload.added.map(({ cell_id }) => cell_id)).toEqual(ids.slice(1));
  plain.send('cell_execute', { cell_id: 'c3' });
  expect((await plain.next('error')).payload).toMatchObject({ code: 'notebook_busy', cell_id: 'c3' });
  live.send('cell_source_update', { cell_id: 'c6', source: 'x6 = 600', force: false });
  await live.next('dag_update');
  await Promise.all([live.close(), plain.close()]);
  await writeFile(gate, '');
  await expect.poll(async () => (await notebook.cell('sum')).status).toBe('ready');
  expect((await notebook.cell('sum')).console_stdout).toBe('615\n');
  const back = await connectLive(server.url, notebook.sid, '?extensions=1');
  back.send('notebook_sync', {});
  expect((await back.next('notebook_state')).payload.run_queue).toBeUndefined();
  await back.close();
  expect(plain.frames.some(({ type }) => type === 'run_queue')).toBe(false);
});
