/**
 * Benchmark rows of cells on a worker: trivial cells by push and by pull, and a data frame of a million rows, produced
 * and consumed.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { startWorkerProcess } from '../../support/workerProcess.ts';
import { editAndRun } from '../editAndRun.ts';
import type { Group } from '../row.ts';
import { FRAME_SOURCE } from './tableRows.ts';

const TOKEN = 'a-worker-token';
const READER = '# @worker signed\nrows = len(big)\nrows';

/** The worker is a separate process on this machine, with the notebook's locked environment. */
export const remoteRows: Group = {
  title: 'cells on a worker',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'remote'), {
      dependencies: ['pandas', 'pyarrow', 'numpy'],
      cells: [
        ...['pushed', 'pulled', 'producer'].map((id) => ({ id, source: 'None' })),
        // The consumer exists from the start, because unread values are not stored.
        { id: 'consumer', source: READER },
      ],
    });
    const worker = await startWorkerProcess({
      env: {
        SVC_WORKER_TOKEN: TOKEN,
        SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1',
        SVC_WORKER_ENV_ROOT: join(dir, 'envs'),
      },
    });
    const server = await startServerProcess({ grants: [dir], env: { WORKER_TOKEN_OF_BENCH: TOKEN } });
    const { session_id } = await openReady(server.url, path, 300_000);
    const workers = ['direct', 'signed'].map((transport) => ({
      name: transport,
      backend: 'executor',
      config: { url: `${worker.url}/v1/execute`, transport, token_env: 'WORKER_TOKEN_OF_BENCH' },
    }));
    await rest(server.url, 'PUT', `/v1/notebooks/${session_id}/workers`, { workers });
    const live = await connectLive(server.url, session_id);
    // During the first dozens of runs, code of both programs is still being compiled.
    const count = smoke ? 15 : 60;
    for (const [name, cell, transport] of [
      ['remote push, trivial cell', 'pushed', 'direct'],
      ['remote pull, trivial cell', 'pulled', 'signed'],
    ] as const) {
      const sourceOf = (i: number): string => `# @worker ${transport}\n${i} + 1`;
      // The first runs build the environment of the worker, start a warm process and compile code of both programs.
      for (let i = 1; i <= 15; i++) await editAndRun(live, cell, sourceOf(-i));
      const samples: number[] = [];
      for (let i = 0; i < count; i++) samples.push(await editAndRun(live, cell, sourceOf(i)));
      record(name, samples);
    }
    const producers: number[] = [];
    const consumers: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 7); i++) {
      const source = `# @worker direct\n${FRAME_SOURCE.replace('SEED', String(i))}`;
      producers.push(await editAndRun(live, 'producer', source));
      consumers.push(await editAndRun(live, 'consumer', `${READER} + ${i}`));
    }
    record('remote frame 1e6 x 5, producer', producers);
    record('remote frame 1e6 x 5, consumer', consumers);
    await live.close();
    await server.dispose();
    await worker.stop();
    await rm(dir, { recursive: true, force: true });
  },
};
