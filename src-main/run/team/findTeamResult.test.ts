import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProvenanceMatch, SharedRun } from '../../../src-shared/wire/routes/artifacts.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { openStore } from '../../artifacts/store.ts';
import { NOTHING_HIDDEN } from '../../lib/redactor.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { RemoteStore } from '../../remoteStore/remoteStore.ts';
import { RemoteStoreProblem } from '../../remoteStore/remoteStoreProblem.ts';
import { keyOfLabel } from '../cache.ts';
import { NOTHING_SEEN, type Observation } from '../observed/observation.ts';
import type { CodeRequest } from '../step.ts';
import { plainPython, plainR } from '../testing/testStep.ts';
import { findTeamResult } from './findTeamResult.ts';
import { processSharing } from './sharing.ts';
import type { TeamCache } from './teamCache.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const PROVENANCE = sha('the run');
const BYTES = '42';

let root = '';
let store: ArtifactStore;
const background: Promise<unknown>[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ask-team-'));
  await writeFile(join(root, 'data.csv'), 'here');
  store = await openStore(join(root, 'artifacts'));
});
afterAll(async () => {
  await Promise.all(background);
  await store.close();
  await rm(root, { recursive: true, force: true });
});

interface Offer {
  /** Parts of the observation of the run. */
  readonly saw?: Partial<Observation>;
  readonly run?: Partial<SharedRun>;
  readonly params?: Readonly<Record<string, string>>;
  readonly match?: Partial<ProvenanceMatch>;
}

function offered({ saw = {}, run = {}, params = {}, match = {} }: Offer): ProvenanceMatch {
  const observed = JSON.stringify({ ...NOTHING_SEEN, ...saw });
  return {
    artifact_id: 'theirs',
    version: 1,
    provenance_hash: PROVENANCE,
    content_type: 'json/object',
    state: 'ready',
    arrow_schema: null,
    row_count: null,
    byte_size: 2,
    created_at: 5,
    principal: 'ann',
    build_env: 'env',
    build_duration_ms: 900,
    env_hash: null,
    promotion: null,
    content_sha256: sha(BYTES),
    shared_run: {
      format: 1,
      content_key: null,
      machine_env: {},
      runtime: 'same',
      params: { run: 'r1', basis: 'b', observed, display_count: '0', variable_name: 'x', ...params },
      ...run,
    },
    ...match,
  };
}

/** A store that has these parts, by label. */
function storeWith(
  parts: Readonly<Record<string, ProvenanceMatch>>,
): RemoteStore & { readonly asked: string[] } {
  const requests: string[] = [];
  const byKey = new Map(
    Object.entries(parts).map(([label, match]) => [keyOfLabel(PROVENANCE, label), match]),
  );
  const refuse = () => Promise.reject(new Error('not asked for here'));
  return {
    url: 'http://team',
    asked: requests,
    isAwake: () => true,
    put: refuse,
    importVersion: refuse,
    call: refuse,
    async match(key) {
      requests.push(key);
      return byKey.get(key) ?? null;
    },
    download: (_match, { file }) => writeFile(file, BYTES),
  };
}

type Changes = Partial<Parameters<typeof plainPython>[0]>;

const request = (changes: Changes = {}) =>
  plainPython({
    notebookDir: notebookFolder(root),
    source: 'x = 42',
    defines: ['x'],
    consumed: ['x'],
    basis: 'b',
    provenanceHash: PROVENANCE,
    cellId: `c${randomUUID().slice(0, 8)}` as CodeRequest['cellId'],
    packages: { fixed: 'same', installed: { base: '', distributions: new Map() } },
    ...changes,
  });

function ask(remote: RemoteStore, step: CodeRequest, team: Partial<TeamCache> = {}) {
  const cache: TeamCache = {
    store: remote,
    isTrusted: false,
    publishes: true,
    lookUpMs: 60_000,
    queue: { isOpen: () => true, add: () => undefined, idle: async () => {}, close: async () => {} },
    redactor: () => NOTHING_HIDDEN,
    notShared: new Map(),
    machineEnvironment: () => ({ HOME: '/home/me' }),
    ...team,
  };
  const tools = {
    store,
    scratchDir: root,
    inBackground: (work: Promise<unknown>) => void background.push(work),
  };
  const options = { signal: new AbortController().signal, onConsole: () => undefined, runId: randomUUID() };
  return findTeamResult(cache, tools, { request: step, options, sharing: processSharing(step) });
}

const file = (path: string, text: string) => ({ path, size: text.length, mtimeNs: '1', sha256: sha(text) });

it.each<readonly [string, Offer, boolean, Partial<TeamCache>]>([
  ['that only computed', {}, true, {}],
  ['that read the same file', { saw: { reads: [file('data.csv', 'here')] } }, true, {}],
  ['that read another file of the same size', { saw: { reads: [file('data.csv', 'else')] } }, false, {}],
  ['that found no file, where one exists now', { saw: { absent: ['data.csv'] } }, false, {}],
  ['that wrote a file which does not exist here', { saw: { wrote: [file('out.csv', 'x')] } }, false, {}],
  ['that read a variable the notebook sets to another value', { saw: { env: { MODE: 'other' } } }, false, {}],
  [
    'that read a variable of another machine',
    { saw: { env: { HOME: null } }, run: { machine_env: { HOME: 'other' } } },
    false,
    {},
  ],
  ['that lacks a variable it read', { saw: { env: { HOME: null } } }, false, {}],
  ['that started a process', { saw: { open: ['process'] } }, false, {}],
  ['of another interpreter', { run: { runtime: 'other' } }, false, {}],
  ['made from other values', { params: { basis: 'other' } }, false, {}],
  ['of which nothing was observed', { params: { observed: '' } }, false, {}],
  ['from a store that drops the facts', { match: { shared_run: null } }, false, {}],
  ['that names no run', { run: { params: {} } }, false, {}],
  ['that is a pickle', { match: { content_type: 'pickle/object' } }, false, {}],
  [
    'that is a pickle, of a trusted store',
    { match: { content_type: 'pickle/object' } },
    true,
    { isTrusted: true },
  ],
  ['with displays that are not there', { params: { display_count: '1' } }, false, {}],
])('[RG-13] a result %s', async (_what, offer, answers, team) => {
  const hit = await ask(storeWith({ x: offered(offer) }), request(), team);
  expect(hit === null ? null : hit.kind).toBe(answers ? 'hit' : null);
  if (hit === null) return;
  expect(hit).toMatchObject({
    team: { principal: 'ann', saved_ms: 900 },
    promoted: [{ contentSha256: sha(BYTES) }],
  });
});

it('[RG-13] parts of two runs are not a result', async () => {
  const parts = { x: offered({}), y: offered({ params: { run: 'r2' } }) };
  expect(await ask(storeWith(parts), request({ consumed: ['x', 'y'], defines: ['x', 'y'] }))).toBeNull();
});

it.each<readonly [string, CodeRequest]>([
  ['in another language', plainR({ source: 'x <- 42' })],
  ['that is not cached', request({ cacheable: false })],
  ['that is run again on purpose', request({ useCache: false })],
  ['whose packages differ from the lock', request({ packages: null })],
  ['that asks for its folder', request({ source: 'import os\nx = os.getcwd()' })],
])('[RG-13] a cell %s sends no request', async (_what, step) => {
  const remote = storeWith({ x: offered({}) });
  expect(await ask(remote, step)).toBeNull();
  expect(remote.asked).toEqual([]);
});

it('[RG-16] a store that does not answer in time is skipped, and a paused one is not contacted', async () => {
  const slow: RemoteStore = {
    ...storeWith({}),
    match: (_key, { signal }) =>
      new Promise((_resolve, reject) => {
        const end = () => reject(new RemoteStoreProblem('too slow', null));
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
  };
  expect(await ask(slow, request(), { lookUpMs: 10 })).toBeNull();
  const resting = { ...storeWith({ x: offered({}) }), isAwake: () => false };
  expect(await ask(resting, request())).toBeNull();
  expect(resting.asked).toEqual([]);
});
