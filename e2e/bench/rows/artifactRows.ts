/**
 * Bench rows of an artifact store with 100,000 versions: lists, searches, lineage and garbage collection over REST, and
 * runs of a cell during a collection.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type LiveClient } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady, rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { A_PROVENANCE, fillStore, LINEAGE } from '../filledStore.ts';
import { type Group, percentile, type RecordSamples, repeat, timed } from '../row.ts';

/** A smoke run uses a smaller store than the 100,000 versions of the targets. */
const VERSIONS = { smoke: 20_000, full: 100_000 };

export const artifactRows: Group = {
  title: 'an artifact store of 100,000 versions',
  async run(record, { smoke }) {
    const count = smoke ? 10 : 30;
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-store-'));
    await fillStore(dir, smoke ? VERSIONS.smoke : VERSIONS.full);
    const server = await startServerProcess({ env: { SVC_ARTIFACT_DIR: dir } });
    const get = (path: string) => () => rest(server.url, 'GET', path);
    const window = '/v1/notebooks/x/artifacts';
    const version = `/v1/artifacts/${LINEAGE.id}/v/1`;
    // The first request opens the store.
    await get(window)();
    record('artifact list', await repeat(count, get('/v1/artifacts?limit=100')));
    record('artifact page', await repeat(count, get(window)));
    record('artifact search, no match', await repeat(count, get(`${window}?search=no-such-result`)));
    record('artifact search', await repeat(count, get(`${window}?search=result-9`)));
    record('artifact lineage, 1,000 nodes', await repeat(count, get(`${version}/lineage?max_depth=100`)));
    record('artifact by provenance', await repeat(count, get(`/v1/artifacts/by-provenance/${A_PROVENANCE}`)));
    const gc = '/v1/artifacts/gc?max_idle_days=0&min_idle_seconds=0';
    record(
      'artifact gc, dry run',
      await repeat(smoke ? 1 : 3, () => rest(server.url, 'POST', `${gc}&dry_run=true`)),
    );
    record('artifact gc', [await timed(() => rest(server.url, 'POST', gc))]);
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
    await runsBeside(record, { gc, versions: smoke ? VERSIONS.smoke : VERSIONS.full });
  },
};

/** Runs an unchanged cell repeatedly during a garbage collection of another store of that size. */
async function runsBeside(
  record: RecordSamples,
  { gc, versions }: { readonly gc: string; readonly versions: number },
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
  const dir = join(root, 'store');
  await fillStore(dir, versions);
  const path = await writeNotebook(join(root, 'beside'), { cells: [{ id: 'c1', source: 'x = 1' }] });
  const server = await startServerProcess({ grants: [root], env: { SVC_ARTIFACT_DIR: dir } });
  const { session_id } = await openReady(server.url, path);
  const live = await connectLive(server.url, session_id);
  await runCell(live);
  let isCollecting = true;
  const collecting = rest(server.url, 'POST', gc).finally(() => {
    isCollecting = false;
  });
  const runs: number[] = [];
  while (isCollecting) runs.push(await timed(() => runCell(live)));
  await collecting;
  record('cached run during gc, p99', [percentile(runs, 99)]);
  await live.close();
  await server.dispose();
  await rm(root, { recursive: true, force: true });
}

/** Runs the cell and waits for its end. */
async function runCell(live: LiveClient): Promise<void> {
  const since = live.mark();
  live.send('cell_execute', { cell_id: 'c1' });
  await live.next('cell_status', { since, where: (p) => p.cell_id === 'c1' && p.status === 'ready' });
}
