import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { openStore } from '../../artifacts/store.ts';
import { createFakeExecutor } from '../../exec/testing/fakeExecutor.ts';
import { createFakeData } from '../../mount/testing/fakeData.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { createConsoleLogs } from '../../notebook/stored/consoleLogs.ts';
import type { PythonStep } from '../../run/step.ts';
import { NO_LANGUAGES } from '../../run/stepTools.ts';
import { plainPython } from '../../run/testing/testStep.ts';
import { createAheadRuns } from './aheadRuns.ts';

let root = notebookFolder('');
let store: ArtifactStore;
const executor = createFakeExecutor();
beforeAll(async () => {
  root = notebookFolder(await mkdtemp(join(tmpdir(), 'ahead-')));
  store = await openStore(join(root, 'artifacts'));
});
afterAll(async () => {
  await executor.close();
  await store.close();
  await rm(root, { recursive: true, force: true });
});

function request(id: string, source: string): PythonStep {
  return plainPython({ notebookDir: root, cellId: cellId(id), source });
}

function open() {
  const logs = createConsoleLogs(root, { maxBytes: 1024, longerThan: 1024 });
  const ahead = createAheadRuns({
    store,
    executor,
    scratchDir: root,
    logs,
    data: createFakeData(),
    languages: NO_LANGUAGES,
  });
  const reports: string[] = [];
  const controller = new AbortController();
  const options = {
    signal: controller.signal,
    onConsole: ({ text }: { text: string }) => reports.push(text),
  };
  return { ahead, told: reports, controller, options };
}

const began = (source: string): Promise<void> =>
  vi.waitFor(() => expect(executor.requests.some((one) => one.source === source)).toBe(true), 45_000);
const keptOf = (id: string): number => store.current(`nb_n_cell_${id}_`).length;

it('[EX-14] nothing is reported or stored before the turn; then both, in order', async () => {
  const { ahead, told, options } = open();
  const execution = request('a', "print('one')\nprint('two')");
  ahead.setRequests([execution]);
  await began(execution.source);
  const run = ahead.find(execution);
  expect([told, keptOf('a')]).toEqual([[], 0]);
  expect(await run?.take(options)).toMatchObject({ kind: 'ran', stdout: 'one\ntwo\n' });
  expect([told.join(''), keptOf('a')]).toEqual(['one\ntwo\n', 1]);
  expect(ahead.find(execution)).toBeNull();
  await ahead.close();
});

it('[EX-14] a run that is no longer needed, has another request, or is dropped, is stopped and stores nothing', async () => {
  const { ahead } = open();
  const executions = ['b', 'c', 'd'].map((id) => request(id, `print('${id}')\ntime.sleep(60)`));
  ahead.setRequests(executions);
  for (const { source } of executions) await began(source);
  const [b = request('', ''), c = request('', '')] = executions;
  ahead.setRequests([b, c]);
  expect(ahead.find({ ...b, provenanceHash: 'other' })).toBeNull();
  ahead.find(c)?.drop();
  // Closing waits for all of them: they slept for a minute.
  await ahead.close();
  expect(['b', 'c', 'd'].map(keptOf)).toEqual([0, 0, 0]);
  ahead.setRequests(executions);
  expect(ahead.find(b)).toBeNull();
});

it('[EX-14] a finished run that is dropped at its turn stores nothing', async () => {
  const { ahead, told } = open();
  const execution = request('e', "print('done')");
  ahead.setRequests([execution]);
  await began(execution.source);
  ahead.find(execution)?.drop();
  await ahead.close();
  expect([told, keptOf('e')]).toEqual([[], 0]);
});

it('[EX-14] a run that is cancelled at its turn ends', async () => {
  const { ahead, controller, options } = open();
  const execution = request('f', 'time.sleep(60)');
  ahead.setRequests([execution]);
  await began(execution.source);
  const outcome = ahead.find(execution)?.take(options);
  controller.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled' });
  await ahead.close();
});

it('[EX-14] a failure is reported in its turn', async () => {
  const { ahead, options } = open();
  const execution = request('g', "raise ValueError('no')");
  ahead.setRequests([execution]);
  await began(execution.source);
  expect(await ahead.find(execution)?.take(options)).toMatchObject({
    kind: 'failed',
    error: 'ValueError: no',
  });
  await ahead.close();
});
