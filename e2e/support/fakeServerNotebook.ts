/** Sample notebook bodies, cells, outputs and environment jobs for fake servers. */

import type * as z from 'zod';
import type { environmentJob } from '../../src-shared/wire/environment.ts';

export {
  sampleBody as fakeBody,
  sampleCell as fakeCell,
  sampleEnvironment as readyEnvironment,
  sampleOutput as fakeOutput,
} from '../../src-shared/wire/testing/sampleNotebook.ts';

export function fakeJob(
  fields: Partial<z.infer<typeof environmentJob>> = {},
): z.infer<typeof environmentJob> {
  return {
    id: '2f6f0a52-9f4f-4d0e-a3c2-0f6f0a529f4f',
    action: 'sync',
    command: 'uv sync',
    status: 'running',
    started_at: Date.now() - 2_000,
    package: null,
    phase: 'uv_running',
    duration_ms: null,
    stdout: '',
    stderr: '',
    stdout_truncated: false,
    stderr_truncated: false,
    finished_at: null,
    lockfile_changed: false,
    stale_cell_count: 0,
    stale_cell_ids: [],
    error: null,
    ...fields,
  };
}
