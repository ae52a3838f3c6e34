import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorker } from '../../src-main/worker/testing/testWorker.ts';
import { READER_KINDS, readByOthers } from '../conformance/bundleReaders.ts';
import { manifest } from '../conformance/pullRequest.ts';
import { answering, openSignedPlaces, type SignedPlaces } from '../conformance/signedPlaces.ts';
import { envelope, pullRaw, removeFolders } from '../conformance/workerCalls.ts';

/** Tests that every existing reader of worker bundles accepts ours, by both transports. */

let worker: Awaited<ReturnType<typeof startTestWorker>>;
let places: SignedPlaces;
beforeAll(async () => {
  worker = await startTestWorker({ SVC_WORKER_ALLOW_LOCAL_HOSTS: '1' });
  places = await openSignedPlaces();
  places.on('/upload', answering(204));
  places.on('/finalize', answering(200, '{}'));
});
afterAll(async () => {
  await worker.close();
  await places.close();
  await removeFolders();
});

async function pushed(source: string): Promise<Buffer> {
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify(envelope(source))]), 'metadata.json');
  const answer = await fetch(`${worker.url}/v1/execute`, { method: 'POST', body: form });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function pulled(source: string): Promise<Buffer> {
  places.received.length = 0;
  const { status } = await pullRaw({ url: worker.url, token: null }, manifest(places.url, source));
  expect(status).toBe(200);
  return places.received.find(({ path }) => path === '/upload')?.body ?? Buffer.alloc(0);
}

const LINES = 60_000;
const SOURCE = `
import sys
Mixed = {"a": 1}
mixed = [1, 2]
bad = (one for one in "ab")
display(mixed)
display("shown alone")
sys.stderr.write("oh é\\n")
for i in range(${LINES}): print("line", i, '"quoted" é 🙂')
Mixed`;
const PRINTED = Array.from({ length: LINES }, (_, i) => `line ${i} "quoted" é 🙂\n`).join('');

describe.each([
  ['pushed', pushed],
  ['pulled', pulled],
])('[WK-40] a bundle that is %s', (_way, bundleOf) => {
  let good: Buffer;
  let failed: Buffer;
  beforeAll(async () => {
    good = await bundleOf(SOURCE);
    failed = await bundleOf('display(7)\nprint("before")\nraise ValueError("boom")');
  });

  it.each(READER_KINDS)('is accepted by a reader that is %s', (kind) => {
    const { stdout, ...read } = readByOthers(kind, good);
    expect(stdout === PRINTED, 'the whole console').toBe(true);
    expect(read).toMatchObject({ success: true, stderr: 'oh é\n', error: null });
    const { Mixed = '', mixed = '', ...others } = read.variables;
    expect([JSON.parse(Mixed), JSON.parse(mixed)]).toEqual([{ a: 1 }, [1, 2]]);
    expect(Object.keys(others).sort()).toEqual(['i', 'sys']);
    expect(read.displays.map((text) => JSON.parse(text) as unknown)).toEqual([
      [1, 2],
      'shown alone',
      { a: 1 },
    ]);
  });

  it.each(READER_KINDS)('of a failed cell is accepted by a reader that is %s', (kind) => {
    expect(readByOthers(kind, failed)).toMatchObject({
      success: false,
      stdout: 'before\n',
      variables: {},
      displays: ['7'],
      error: 'ValueError: boom',
    });
  });
});
