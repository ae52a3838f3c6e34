import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rest } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { A_PROVENANCE, fillStore, LINEAGE } from '../filledStore.ts';
import { type Group, repeat, timed } from '../row.ts';

/** Of a smoke run fewer: the rows are about 100,000. */
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
  },
};
