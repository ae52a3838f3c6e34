/**
 * Bench rows of a data frame of a million rows: storing and reading it, pages of its table (sorted, filtered,
 * searched), summaries, distributions and exports.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { edit } from '../editAndRun.ts';
import { type Group, repeat, timed } from '../row.ts';

/** The source of a cell that makes the frame and prints the time this took; `SEED` is replaced by a number. */
export const FRAME_SOURCE = `import time
import numpy as np
import pandas as pd
started = time.perf_counter()
rng = np.random.default_rng(SEED)
big = pd.DataFrame({
    "id": np.arange(1_000_000),
    "a": rng.random(1_000_000),
    "b": rng.random(1_000_000),
    "c": rng.integers(0, 1000, 1_000_000),
    "name": np.array(["alpha", "beta", "gamma", "delta"])[rng.integers(0, 4, 1_000_000)],
})
print("body", (time.perf_counter() - started) * 1000)`;

async function run(live: LiveClient, cell: string, source?: string) {
  if (source !== undefined) await edit(live, cell, source);
  const since = live.mark();
  const startedAt = performance.now();
  live.send('cell_execute', { cell_id: cell });
  const output = await live.next('cell_output', {
    since,
    where: (p) => p.cell_id === cell,
    timeoutMs: 60_000,
  });
  await live.next('cell_status', { since, where: (p) => p.cell_id === cell && p.status === 'ready' });
  return { ms: performance.now() - startedAt, output: output.payload };
}

/** Reads a download to its end and discards it. Not with `fetch`, whose streams take as long as the server. */
function download(url: string): Promise<{ readonly firstMs: number; readonly allMs: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`export answered ${response.statusCode}`));
      let firstMs = 0;
      response.once('data', () => {
        firstMs = performance.now() - startedAt;
      });
      response.on('data', () => {});
      response.once('end', () => resolve({ firstMs, allMs: performance.now() - startedAt }));
      response.once('error', reject);
    });
    request.once('error', reject);
  });
}

export const tableRows: Group = {
  title: 'a frame of 1e6 x 5 and its pages',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'frame'), {
      dependencies: ['pandas', 'pyarrow', 'numpy'],
      cells: [
        { id: 'producer', source: FRAME_SOURCE.replace('SEED', '0') },
        { id: 'consumer', source: 'rows = len(big)\nrows' },
        { id: 'display1', source: 'big' },
      ],
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path, 300_000);
    const live = await connectLive(server.url, session_id);
    await run(live, 'producer');
    const producers: number[] = [];
    const consumers: number[] = [];
    for (let i = 1; i <= (smoke ? 2 : 7); i++) {
      const made = await run(live, 'producer', FRAME_SOURCE.replace('SEED', String(i)));
      producers.push(made.ms - Number(/body ([\d.]+)/.exec(made.output.stdout)?.[1] ?? 0));
      consumers.push((await run(live, 'consumer')).ms);
    }
    record('frame 1e6 x 5, producer', producers);
    record('frame 1e6 x 5, consumer', consumers);

    const shown = await run(live, 'display1');
    const uri = encodeURIComponent(shown.output.display?.artifact_uri ?? '');
    const page = (query: string) =>
      rest<{ pageable: boolean }>(
        server.url,
        'GET',
        `/v1/notebooks/${session_id}/cells/display1/data?artifact_uri=${uri}&limit=100${query}`,
      );
    const first = await page('');
    if (first.status !== 200 || !first.body.pageable)
      throw new Error(`no table page: ${JSON.stringify(first)}`);
    const count = smoke ? 5 : 40;
    record('table page, first', await repeat(count, () => page('')));
    record('table page, deep', await repeat(count, (i) => page(`&offset=${900_000 + i}`)));
    record('table page, sorted', [
      ...(await repeat(1, () => page('&sort_by=a'))),
      ...(await repeat(1, () => page('&sort_by=b'))),
      ...(await repeat(1, () => page('&sort_by=c'))),
    ]);
    const filter = (value: number) => encodeURIComponent(JSON.stringify([{ col: 'a', op: 'lt', value }]));
    record(
      'table page, filtered',
      await repeat(smoke ? 3 : 7, (i) => page(`&filters=${filter(0.1 + i / 100)}`)),
    );
    record(
      'table page, searched',
      await repeat(smoke ? 3 : 5, (i) => page(`&search=${['alp', 'gam', 'elt', 'bet', 'amm'][i]}`)),
    );
    // The summary of a table is cached, so every sample needs a new table.
    const summaries: number[] = [];
    const distributions: number[] = [];
    const exports: Record<'csv' | 'parquet', number[]> = { csv: [], parquet: [] };
    const firsts: number[] = [];
    for (let i = 0; i < (smoke ? 2 : 5); i++) {
      await run(live, 'producer', FRAME_SOURCE.replace('SEED', String(100 + i)));
      const fresh = await run(live, 'display1');
      const freshUri = encodeURIComponent(fresh.output.display?.artifact_uri ?? '');
      const base = `/v1/notebooks/${session_id}/cells/display1/data`;
      await rest(server.url, 'GET', `${base}?artifact_uri=${freshUri}&limit=1`);
      summaries.push(await timed(() => rest(server.url, 'GET', `${base}/summary?artifact_uri=${freshUri}`)));
      const bars = `/v1/notebooks/${session_id}/x/cells/display1/data/distribution?artifact_uri=${freshUri}`;
      distributions.push(await timed(() => rest(server.url, 'GET', bars)));
      for (const format of ['csv', 'parquet'] as const) {
        const made = await download(`${server.url}${base}/export?artifact_uri=${freshUri}&fmt=${format}`);
        exports[format].push(made.allMs);
        firsts.push(made.firstMs);
      }
    }
    record('table summary', summaries);
    record('table distribution', distributions);
    record('export csv', exports.csv);
    record('export parquet', exports.parquet);
    record('export first byte', firsts);
    await live.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
