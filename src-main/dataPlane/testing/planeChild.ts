import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/loadConfig.ts';
import { createLogger } from '../../observe/log.ts';
import { createRegistryService } from '../../registry/registryService.ts';
import { createDataPlane } from '../dataPlane.ts';
import { KILLED_SCANS } from './killedScans.ts';

/**
 * A process for the crash test: `planeChild.ts <store> <table> <first scan> <scans>`. It builds scans, each
 * as a new version, through a cache that is too small for them, and prints `kept <scan> <uri>` for each that
 * must exist from then on. SVC_TEST_KILL_AT ends it.
 */
const [dir = '', table = '', first = '0', count = '1'] = process.argv.slice(2);
const who = {
  party: { tenant: '', principal: null, isAdmin: false },
  client: '127.0.0.1',
  hasScope: () => true,
};
const never = new AbortController().signal;
const log = createLogger({
  level: 'WARNING',
  format: 'json',
  destination: { write: (line) => void writeSync(2, line) },
});
const registry = createRegistryService(
  { dir, protectedAliases: [], zombieSeconds: 3600 },
  {
    intervalSeconds: null,
    limits: { maxIdleDays: null, maxBytes: null, minIdleSeconds: 0 },
    onProblem(error) {
      throw error;
    },
  },
);
const config = loadConfig({
  cwd: dir,
  env: {},
  overrides: {
    cacheDir: join(dir, 'cache'),
    metadataDb: join(dir, `meta-${first}.sqlite`),
    batchSize: 2,
    artifactDir: dir,
    maxCacheSizeBytes: 2_500,
  },
});
const plane = createDataPlane({ config, registry, log, graceMs: 0 });

for (let at = Number(first); at < Number(first) + Number(count); at += 1) {
  const nth = at % KILLED_SCANS.length;
  const { params = {} } = KILLED_SCANS[nth] ?? {};
  const mode = at % 3 === 0 ? 'artifact' : 'stream';
  const transform = { executor: 'scan@v1', params };
  const request = { inputs: [table], transform, mode, refresh: true, name: `scan/${nth}` } as const;
  const answer = await plane.materialize(request, who, never);
  let uri = answer.artifact_uri;
  if (answer.stream_id === null) {
    for (;;) {
      const build = await plane.build(answer.build_id ?? '', who.party);
      if (build?.state === 'ready') break;
      if (build?.state === 'failed') throw new Error(build.errorMessage ?? 'the build failed');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  } else {
    const stream = await plane.stream(answer.stream_id, who);
    if (stream.kind === 'stored') uri = stream.uri;
  }
  writeSync(1, `kept ${nth} ${uri}\n`);
}
await plane.close();
await registry.close();
