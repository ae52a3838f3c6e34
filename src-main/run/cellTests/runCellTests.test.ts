import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cellId, notebookId } from '../../../src-shared/notebook/ids.ts';
import { closeBenches, type LocalBench, openLocalBench, PYTHON } from '../../exec/local/testing/testBench.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { runTests } from './runCellTests.ts';
import type { TestProgress } from './testProgress.ts';
import type { TestedCell, TestRequest } from './testRequest.ts';

const benches: LocalBench[] = [];
const dir = mkdtempSync(join(tmpdir(), 'cellar-run-tests-'));
afterAll(async () => {
  await closeBenches(benches);
  rmSync(dir, { recursive: true, force: true });
});

function hasPytest(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function tested(testSource: string, options: Partial<TestedCell> = {}, signal = new AbortController()) {
  const bench = await openLocalBench({ poolSize: 0 }, null);
  benches.push(bench);
  const { interpreter } = bench.request('');
  const never = () => Promise.reject(new Error('nothing outside is used'));
  const tools = {
    store: null as never, // no input is read
    executor: bench.executor,
    scratchDir: dir,
    data: { check: never, prepare: never },
    inBackground: () => {},
  };
  const request: TestRequest = {
    notebookId: notebookId('n1'),
    notebookDir: notebookFolder(dir),
    cellId: cellId('a1'),
    cellName: 'a1',
    source: 'n = 1',
    mutationDefines: [],
    env: {},
    interpreter,
    timeoutSeconds: 60,
    inputs: [],
    data: [],
    testSource,
    testFile: 'cells/a1.test.py',
    shape: 'once',
    ...options,
  };
  const heard: TestProgress[] = [];
  const onProgress = (progress: TestProgress) => heard.push(progress);
  return {
    outcome: await runTests(tools, request, {
      runId: `r${benches.length}`,
      signal: signal.signal,
      onProgress,
    }),
    heard,
    bench,
  };
}

// `npm test` provides a Python with pytest.
describe.skipIf(!hasPytest())("a run of a cell's tests (needs pytest)", () => {
  it('[CT-3] is stopped at its time limit; completed results are stored', async () => {
    const source = 'import time\ndef test_a(): pass\ndef test_b(): time.sleep(600)\ndef test_c(): pass\n';
    const beganAt = performance.now();
    await tested('def test_a(): pass\n');
    // Long enough for this machine to reach the second test.
    const timeoutSeconds = Math.ceil((5 * (performance.now() - beganAt)) / 1_000);
    const { outcome } = await tested(source, { timeoutSeconds });
    if (outcome.kind !== 'finished') throw new Error(outcome.kind);
    expect(outcome.cases.map(({ name, outcome: how }) => [name, how])).toEqual([
      ['test_a', 'passed'],
      ['test_b', 'error'],
    ]);
    expect(outcome.cases[1]?.message).toBe(
      `The tests were stopped here because they reached the timeout of ${timeoutSeconds} s.\n\n1 test after it did not run.`,
    );
  });

  it('[CT-17] reports the current test and the number of completed ones, while it runs', async () => {
    const source = 'import time\ndef test_a(): pass\ndef test_b(): assert 0\ndef test_c(): time.sleep(1)\n';
    const { outcome, heard } = await tested(source);
    expect(outcome.kind).toBe('finished');
    expect(heard).toContainEqual({ done: 2, total: 3, failed: 1, test: 'test_c' });
  });

  it('[CT-11] ends as cancelled, and leaves nothing behind', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1_500);
    const source = 'import time\ndef test_a(): time.sleep(600)\n';
    const { outcome, bench } = await tested(source, {}, stop);
    expect(outcome).toEqual({ kind: 'cancelled' });
    await expect.poll(() => bench.processes()).toEqual([]);
  });
});
