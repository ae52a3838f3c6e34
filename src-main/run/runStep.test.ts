import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifactIdOf } from '../../src-shared/notebook/artifactIds.ts';
import { type ArtifactRow, type ArtifactStore, StoreError } from '../artifacts/artifact.ts';
import { openStore } from '../artifacts/store.ts';
import { newItem } from '../artifacts/testing/testItems.ts';
import type { Executor } from '../exec/executor.ts';
import { createFakeExecutor } from '../exec/testing/fakeExecutor.ts';
import { dataItemsOf } from '../mount/dataItem.ts';
import { createFakeData } from '../mount/testing/fakeData.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { createConsoleLogs } from '../notebook/stored/consoleLogs.ts';
import { subkey, workerIdentity } from './provenance.ts';
import { runStep } from './runStep.ts';
import type { StepOutcome, StepRequest } from './step.ts';
import { NO_LANGUAGES } from './stepTools.ts';
import { plainPython } from './testing/testStep.ts';

let root = notebookFolder('');
let store: ArtifactStore;
const executor = createFakeExecutor();
const data = createFakeData();
const background: Promise<unknown>[] = [];
beforeAll(async () => {
  root = notebookFolder(await mkdtemp(join(tmpdir(), 'run-step-')));
  store = await openStore(join(root, 'artifacts'));
});
afterAll(async () => {
  await Promise.all(background);
  await executor.close();
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const request = (source: string, changes: Partial<Parameters<typeof plainPython>[0]> = {}) =>
  plainPython({ notebookDir: root, source, defines: ['x'], consumed: ['x'], ...changes });

function run(
  step: StepRequest,
  how: Pick<Executor, 'run'> = executor,
  into: ArtifactStore = store,
): Promise<StepOutcome> {
  const signal = new AbortController().signal;
  const inBackground = (work: Promise<unknown>) => void background.push(work);
  const logs = createConsoleLogs(root, { maxBytes: 1 << 20, longerThan: 100 });
  const tools = {
    store: into,
    executor: how,
    scratchDir: root,
    logs,
    inBackground,
    data,
    languages: NO_LANGUAGES,
  };
  return runStep(tools, step, { signal, onConsole: () => undefined, runId: randomUUID() });
}

async function stored(provenanceHash: string): Promise<ArtifactRow> {
  const id = artifactIdOf('n', 'a', 'x');
  const [row] = await store.publish([
    newItem(id, provenanceHash, { provenanceHash: subkey(provenanceHash, 'x') }),
  ]);
  if (row === undefined) throw new Error('nothing was stored');
  return row;
}

describe('an older result that answers', () => {
  it('[PV-11] is promoted; one with missing bytes makes the cell run instead of failing it', async () => {
    const first = await stored('P');
    const second = await stored('Q');
    const reverted = request("print('again')", { provenanceHash: 'P', stored: { x: [second, first] } });
    expect(await run(reverted)).toMatchObject({ kind: 'hit', promoted: [{ version: 3 }] });
    const blob = await store.readable(first);
    if (blob.kind !== 'ok') throw new Error(blob.message);
    await rm(blob.path);
    expect(await run(reverted)).toMatchObject({ stdout: 'again\n' });
    expect(executor.requests.length).toBe(1);
  });
});

/** Stores `x`, like a cell in a real process. */
const leaves: Pick<Executor, 'run'> = {
  async run({ outputDir }) {
    await writeFile(join(outputDir, 'x.json'), '20');
    const x = { content_type: 'json/object', file: 'x.json', bytes: 2, preview: 20 };
    const result = {
      success: true as const,
      variables: { x },
      displays: [],
      mutation_warnings: [],
      build_env: '',
    };
    return { kind: 'finished', result, method: 'warm', durationMs: 1, stdout: '', stderr: '' };
  },
};

describe('[BU-17] a result that can be computed again', () => {
  const refusing = (): ArtifactStore =>
    Object.assign(Object.create(store), {
      publish: async () => {
        throw new StoreError('unreadable', 'no room');
      },
    });
  it.each([
    ['is released once the store has it', 'x = 20', () => store, ['kept']],
    ['of a cell that failed is released', "raise ValueError('no')", () => store, ['nothing']],
    ['is not released if the store did not take it', 'x = 20', refusing, []],
  ])('%s', async (_name, source, into, expected) => {
    const provenanceHash = `let-go ${source}`;
    const cell = source === 'x = 20' ? leaves : executor;
    const facts: string[] = [];
    const how: Pick<Executor, 'run'> = {
      run: async (asked, options) => ({
        ...(await cell.run(asked, options)),
        async discard() {
          const has = store
            .versions(artifactIdOf('n', 'a', 'x'))
            .some((row) => row.provenanceHash === subkey(provenanceHash, 'x'));
          facts.push(has ? 'kept' : 'nothing');
        },
      }),
    };
    await run(request(source, { provenanceHash }), how, into());
    await Promise.all(background);
    expect(facts).toEqual(expected);
  });
});

describe('a cell of another worker', () => {
  const worker = (url: string) =>
    ({ name: 'gpu', backend: 'executor', runtime_id: null, config: { url } }) as const;
  const bytesOf = (outcome: StepOutcome) =>
    outcome.kind === 'ran' ? outcome.published.map(({ contentSha256 }) => contentSha256) : outcome;

  it('[RW-20] by embedded:// stores the same bytes, in a run reported as remote', async () => {
    const here = await run(request('x = 20', { useCache: false }), leaves);
    const remote = await run(
      request('x = 20', { useCache: false, worker: worker('embedded://local') }),
      leaves,
    );
    expect(bytesOf(here)).toHaveLength(1);
    expect(bytesOf(remote)).toEqual(bytesOf(here));
    expect(remote).toMatchObject({ method: 'executor', remote: { worker: 'gpu', transport: 'embedded' } });
    expect(here.remote).toBeUndefined();
  });

  it('[RW-20] its key differs only by the worker', () => {
    expect(workerIdentity('local', null)).toBe('local:local');
    expect(workerIdentity('gpu', { ...worker('u'), runtime_id: 'r1' })).toBe('executor:r1');
    const digest = createHash('sha256').update('{"a":1,"url":"u"}').digest('hex');
    const written = { ...worker('u'), config: { url: 'u', gone: null, a: 1 } };
    expect(workerIdentity('gpu', written)).toBe(`executor:gpu:${digest}`);
    expect(workerIdentity('gpu', { ...worker('u'), config: { gone: null } })).toBe('executor:gpu');
  });
});

describe('external data of a cell', () => {
  const uses = (uri: string) => {
    const mounts = [{ name: 'box', uri, mode: 'rw', credential: null } as const];
    const items = dataItemsOf({ notebook: [], cell: [] }, { mounts, fetches: [], datasets: [], tables: [] });
    return items.map((item) => ({ item, fact: null }));
  };

  it('[MT-6] that is missing fails the cell with a message before it runs', async () => {
    const before = executor.requests.length;
    const outcome = await run(request('x = 1', { data: uses('file:///gone'), useCache: false }));
    expect(outcome).toMatchObject({ kind: 'failed', error: 'There is no box.', method: 'error' });
    expect(executor.requests.length).toBe(before);
  });

  it('[MT-8] is written back only after the cell succeeded', async () => {
    data.things.set('box', { token: 't', path: '/staged' });
    const failing = await run(request("raise ValueError('no')", { data: uses('s3://b'), useCache: false }));
    expect([failing.kind, data.written]).toEqual(['failed', []]);
    await run(request("print('yes')", { data: uses('s3://b'), consumed: [], useCache: false }));
    expect(data.written).toEqual(['box']);
    expect(executor.requests.at(-1)?.mounts).toEqual({
      box: { uri: 'box:s3://b:', mode: 'rw', local_path: '/staged' },
    });
  });
});
