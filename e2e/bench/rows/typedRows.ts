/** Benchmark row of a cell that makes a data frame, whose imports were typed after the notebook was opened. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { editAndRun } from '../editAndRun.ts';
import { type Group, median } from '../row.ts';

const frame = (seed: number): string => `import numpy as np
import pandas as pd
frame = pd.DataFrame({"id": np.arange(1000) + ${seed}, "name": ["alpha", "beta"] * 500})`;

/** Runs a cell that reports whether pandas is already loaded in its process. */
async function pandasIsLoaded(live: LiveClient, probe: number): Promise<boolean> {
  const since = live.mark();
  await editAndRun(live, 'probe', `import sys\nprint("pandas" in sys.modules, ${probe})`);
  const output = await live.next('cell_output', { since, where: (p) => p.cell_id === 'probe' });
  return output.payload.stdout.startsWith('True');
}

/** Run times of a cell that makes a frame. @param options if `typed`, no cell imports pandas when it is opened */
async function samplesOf(url: string, dir: string, options: { typed: boolean; count: number }) {
  const { typed, count } = options;
  const path = await writeNotebook(join(dir, typed ? 'typed' : 'opened'), {
    dependencies: ['pandas', 'pyarrow', 'numpy'],
    cells: [
      { id: 'maker', source: typed ? 'frame = 0' : frame(0) },
      { id: 'probe', source: 'print(False)' },
    ],
  });
  const { session_id } = await openReady(url, path, 300_000);
  const live = await connectLive(url, session_id);
  await editAndRun(live, 'maker', frame(1));
  const startedAt = performance.now();
  for (let probe = 0; !(await pandasIsLoaded(live, probe)); probe++) {
    if (performance.now() - startedAt > 60_000) throw new Error('pandas was never loaded ahead');
    await new Promise((done) => setTimeout(done, 200));
  }
  const samples: number[] = [];
  for (let i = 0; i < count; i++) samples.push(await editAndRun(live, 'maker', frame(10 + i)));
  await live.close();
  return samples;
}

export const typedRows: Group = {
  title: 'imports typed after opening',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const server = await startServerProcess({ grants: [dir] });
    const count = smoke ? 3 : 21;
    const opened = median(await samplesOf(server.url, dir, { typed: false, count }));
    const typed = await samplesOf(server.url, dir, { typed: true, count });
    record(
      'frame, imports typed',
      typed.map((ms) => (100 * ms) / opened),
    );
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
