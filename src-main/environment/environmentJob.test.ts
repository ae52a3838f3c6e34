import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentJob } from '../../src-shared/wire/environment.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { finishJob, inPhase, startJob, withText } from './environmentJob.ts';
import { loadJobHistory, saveJobHistory, withFinished } from './jobHistory.ts';
import { markSyncStarted } from './syncMarker.ts';

const started = startJob({ id: 'j1', action: 'sync', command: 'uv sync', package: null, now: 1_000 });

it('a job starts as running, ends as completed or failed, and does not change after that', () => {
  const working = withText(withText(inPhase(started, 'recomputing_staleness'), 'stdout', 'a'), 'stderr', 'b');
  const completed = finishJob(working, {
    error: null,
    lockfileChanged: true,
    staleCellIds: ['c1'],
    now: 1_250.4,
  });
  expect(environmentJob.parse(completed)).toEqual({
    ...started,
    status: 'completed',
    phase: 'completed',
    duration_ms: 250,
    finished_at: 1_250.4,
    stdout: 'a',
    stderr: 'b',
    lockfile_changed: true,
    stale_cell_count: 1,
    stale_cell_ids: ['c1'],
  });
  const failure = { error: 'cancelled', lockfileChanged: false, staleCellIds: [], now: 2_000 };
  expect(finishJob(started, failure)).toMatchObject({
    status: 'failed',
    phase: 'failed',
    error: 'cancelled',
  });
  for (const late of [
    withText(completed, 'stdout', 'x'),
    inPhase(completed, 'uv_running'),
    finishJob(completed, failure),
  ]) {
    expect(late).toBe(completed);
  }
});

it('keeps the last 12,000 characters of a stream and records the truncation', () => {
  const full = withText(started, 'stderr', 'x'.repeat(12_000));
  expect(full).toMatchObject({ stderr_truncated: false });
  const over = withText(full, 'stderr', 'end');
  expect(over).toMatchObject({
    stderr: `${'x'.repeat(11_997)}end`,
    stderr_truncated: true,
    stdout_truncated: false,
  });
  expect(withText(over, 'stderr', '')).toMatchObject({ stderr_truncated: true });
});

it('[NF-44] a job that ends after its folder was removed does not create the folder again', async () => {
  const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-gone-')));
  await rm(dir, { recursive: true });
  await saveJobHistory(dir, [started]);
  await expect(markSyncStarted(dir, { project: null, lock: null })).rejects.toMatchObject({ code: 'ENOENT' });
  expect(existsSync(dir)).toBe(false);
});

it('the eight newest jobs survive a restart; a damaged file counts as empty', async () => {
  const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-jobs-')));
  try {
    expect(await loadJobHistory(dir)).toEqual([]);
    const jobs = Array.from({ length: 10 }, (_, index) => ({ ...started, id: `j${index}` }));
    const history = jobs.reduce(withFinished, [] as readonly (typeof started)[]);
    await saveJobHistory(dir, history);
    expect((await loadJobHistory(dir)).map(({ id }) => id)).toEqual([
      'j9',
      'j8',
      'j7',
      'j6',
      'j5',
      'j4',
      'j3',
      'j2',
    ]);
    await mkdir(join(dir, '.svc'), { recursive: true });
    await writeFile(join(dir, '.svc', 'environment_jobs.json'), '[{"id":');
    expect(await loadJobHistory(dir)).toEqual([]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
