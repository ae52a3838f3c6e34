import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../src-shared/wire/worker/protocol.ts';
import { ownerMayLive, ownerName } from '../../artifacts/blobFolder.ts';
import { createStoredBuilds, type StoredBuilds } from '../../artifacts/storedBuilds.ts';
import { createBuilds } from '../builds.ts';

/**
 * A server of builds for the crash test: `buildChild.ts <dir> <point> <chunk>`. Starts a build, receives its
 * upload in chunks, finalizes it, printing each completed step, and kills itself at the point.
 */
const [dir = '', point = '', chunk = '0'] = process.argv.slice(2);
const die = (at: string): void => {
  if (at === point) process.kill(process.pid, 'SIGKILL');
};
const say = (what: string, value: unknown = ''): void => {
  writeSync(1, `${what} ${JSON.stringify(value)}\n`);
};

/** The upload, with known length and pieces. */
const PIECES = Array.from({ length: 8 }, (_, at) => Buffer.from(String(at).repeat(10_000)));

const store = createStoredBuilds(dir);
let saves = 0;
const rows: StoredBuilds = {
  ...store,
  async save(row) {
    saves += 1;
    die(`before save ${saves}`);
    await store.save(row);
    die(`after save ${saves}`);
  },
};
const builds = createBuilds({
  secret: null,
  expirySeconds: 600,
  maxOutputBytes: 1e6,
  buildStore: {
    rows,
    dir: join(dir, 'builds'),
    owner: ownerName(process.pid),
    ownerMayLive,
    zombieSeconds: 3600,
    check: async () => undefined,
    onProblem: (message) => say('problem', message),
  },
});
builds.setAddress('http://127.0.0.1:7');
const build = await builds.begin(
  {
    notebookId: 'n',
    metadata: { executor_ref: NOTEBOOK_CELL_REF, params: { source: 'x' } },
    inputs: [],
    serverUrl: null,
    lifetimeSeconds: 10,
    dir: join(dir, 'unused'),
    accept: async () => die('while it is read'),
    onConsole: () => undefined,
  },
  new AbortController().signal,
);
if (build === null) throw new Error('no build started');
say('started', build.manifest);
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);
async function* pieces(): AsyncGenerator<Buffer> {
  for (const [at, piece] of PIECES.entries()) {
    if (at === Number(chunk)) die('while it is uploaded');
    yield piece;
  }
}
const declaredBytes = PIECES.reduce((sum, { length }) => sum + length, 0);
await builds.upload(queryOf(build.manifest.output.url), { stream: Readable.from(pieces()), declaredBytes });
say('uploaded');
die('uploaded');
const query = queryOf(build.manifest.finalize_url);
say('finalized', await builds.finalize(build.buildId, query, { output_format: BUNDLE_FORMAT }));
die('finalized');
