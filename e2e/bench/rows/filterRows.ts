/** Benchmark row of the filter builder: a filtered page of a data frame of ten million rows, on a real server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { type Group, repeat } from '../row.ts';

const SOURCE = `import numpy as np
import pandas as pd
rng = np.random.default_rng(1)
rows = 10_000_000
wide = pd.DataFrame({
    "a": rng.random(rows),
    "c": rng.integers(0, 1000, rows),
    "name": np.array(["alpha", "beta", "gamma", "delta"])[rng.integers(0, 4, rows)],
})
wide`;

export const filterRows: Group = {
  title: 'filters over a frame of 1e7 x 3',
  async run(record, { smoke }) {
    // Making the frame takes ten seconds.
    if (smoke) return;
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'filters'), {
      dependencies: ['pandas', 'pyarrow', 'numpy'],
      cells: [{ id: 'wide', source: SOURCE }],
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path, 300_000);
    const live = await connectLive(server.url, session_id);
    const since = live.mark();
    live.send('cell_execute', { cell_id: 'wide' });
    const output = await live.next('cell_output', { since, timeoutMs: 120_000 });
    const uri = encodeURIComponent(output.payload.display?.artifact_uri ?? '');
    // The filters that the filter builder sends: a range of numbers, and values from a list.
    const page = async (from: number): Promise<void> => {
      const filters = [
        { col: 'a', op: 'between', value: from, value2: 0.9 },
        { col: 'c', op: 'lt', value: 500 },
        { col: 'name', op: 'in', values: ['alpha', 'gamma'] },
      ];
      const query = `artifact_uri=${uri}&limit=100&filters=${encodeURIComponent(JSON.stringify(filters))}`;
      const { status, body } = await rest<{ total_rows?: number; pageable: boolean }>(
        server.url,
        'GET',
        `/v1/notebooks/${session_id}/cells/wide/data?${query}`,
      );
      if (status !== 200 || !body.pageable) throw new Error(`no page: ${JSON.stringify(body)}`);
    };
    // The first page reads the file.
    await page(0.1);
    record('filter builder, 1e7 rows', await repeat(7, (i) => page(0.2 + i / 20)));
    await live.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
