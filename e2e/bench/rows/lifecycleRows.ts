/**
 * Bench rows of the start and memory of the built server, and of creating and opening notebooks up to the first result.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionStateBody } from '../../../src-shared/wire/notebookState.ts';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { rssMiB } from '../processes.ts';
import { type Group, repeat, timed } from '../row.ts';

/** Cells of about twenty lines of ordinary analysis, each reading the one before; their parsing takes some time. */
export function chainCells(count: number): { id: string; source: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `cell${String(i).padStart(4, '0')}`,
    source: [
      `# @name step_${i}`,
      'import math',
      i === 0 ? 'base = 1' : `base = value_${i - 1}`,
      ...Array.from(
        { length: 14 },
        (_, line) => `part_${i}_${line} = math.sqrt(base + ${line}) * ${line + 1}`,
      ),
      `value_${i} = part_${i}_0 + part_${i}_13`,
    ].join('\n'),
  }));
}

export const lifecycleRows: Group = {
  title: 'start, memory, create, open, first cell',
  async run(record, { smoke }) {
    const starts = async (env: Record<string, string>): Promise<number[]> => {
      const samples: number[] = [];
      for (let i = 0; i < (smoke ? 2 : 7); i++) {
        const server = await startServerProcess({ env });
        samples.push(server.startMs + (await timed(() => fetch(`${server.url}/health`))));
        await server.dispose();
      }
      return samples;
    };
    record('server start, first', await starts({ NODE_DISABLE_COMPILE_CACHE: '1' }));
    // This start fills the compile cache for the next ones.
    await (await startServerProcess()).dispose();
    record('server start', await starts({}));

    const server = await startServerProcess();
    await fetch(`${server.url}/health`);
    record('server memory', [rssMiB(server.pid)]);

    const creates: number[] = [];
    const readies: number[] = [];
    const firsts: number[] = [];
    const results: number[] = [];
    // The first notebook fills the uv cache and is not counted.
    for (let i = 0; i < (smoke ? 3 : 6); i++) {
      const startedAt = performance.now();
      const created = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/create', {
        parent_path: server.storageDir,
        name: `bench ${i}`,
        starter_cell: true,
      });
      const createMs = performance.now() - startedAt;
      const { session_id, path } = created.body;
      const live = await connectLive(server.url, session_id);
      const state = await openReady(server.url, path);
      const readyMs = performance.now() - startedAt;
      const cell = state.cells[0]?.id ?? '';
      live.send('cell_source_update', { cell_id: cell, source: '1 + 1' });
      await live.next('dag_update');
      const firstMs = await timed(async () => {
        live.send('cell_execute', { cell_id: cell });
        await live.next('cell_status', { where: (p) => p.cell_id === cell && p.status === 'ready' });
      });
      const resultMs = performance.now() - startedAt;
      if (i > 0) {
        creates.push(createMs);
        readies.push(readyMs);
        firsts.push(firstMs);
        results.push(resultMs);
      }
      await live.close();
      await rest(server.url, 'POST', `/v1/notebooks/${session_id}/close`);
    }
    record('create notebook', creates);
    record('environment ready', readies);
    record('first cell', firsts);
    record('create to first result', results);
    await server.dispose();

    for (const count of smoke ? [100] : [10, 100, 500]) {
      const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
      await writeNotebook(join(dir, 'open'), { cells: chainCells(count) });
      const opener = await startServerProcess({ grants: [dir] });
      await openReady(opener.url, join(dir, 'open'));
      const close = async () => {
        const { body } = await rest<{ sessions: { session_id: string }[] }>(
          opener.url,
          'GET',
          '/v1/notebooks/sessions',
        );
        for (const { session_id } of body.sessions) {
          await rest(opener.url, 'POST', `/v1/notebooks/${session_id}/close`);
        }
      };
      const samples: number[] = [];
      for (let i = 0; i < (smoke ? 3 : 7); i++) {
        await close();
        samples.push(
          ...(await repeat(1, () =>
            rest(opener.url, 'POST', '/v1/notebooks/open', { path: join(dir, 'open') }),
          )),
        );
      }
      record(`open ${count} cells`, samples);
      await opener.dispose();
      await rm(dir, { recursive: true, force: true });
    }
  },
};
