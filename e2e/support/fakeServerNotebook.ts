import type { z } from 'zod';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { cell as cellSchema } from '../../src-shared/wire/cell.ts';
import type { environment, environmentJob } from '../../src-shared/wire/environment.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { Output } from '../../src-shared/wire/output.ts';

/** A whole cell out of the few fields a test cares about; the schema is asked, so it cannot drift. */
export function fakeCell(fields: Partial<Cell> & { readonly id: string }): Cell {
  return cellSchema.parse({
    source: '',
    test_source: '',
    test_result: null,
    language: 'python',
    order: 0,
    status: 'idle',
    staleness: null,
    staleness_reasons: [],
    defines: [],
    references: [],
    mutation_defines: [],
    builtin_references: [],
    upstream_ids: [],
    downstream_ids: [],
    is_leaf: false,
    worker: null,
    timeout: null,
    env: {},
    mounts: [],
    worker_override: null,
    timeout_override: null,
    env_overrides: {},
    mount_overrides: [],
    variant_group: null,
    variant_name: null,
    variant_active: true,
    annotation_diagnostics: [],
    annotations: {
      name: null,
      worker: null,
      timeout: null,
      env: {},
      mounts: [],
      tables: [],
      loop: null,
      variant: null,
    },
    artifact_uri: null,
    artifact_uris: {},
    display_outputs: [],
    display_output: null,
    console_stdout: '',
    console_stderr: '',
    error: null,
    cache_hit: false,
    execution_method: null,
    remote_worker: null,
    remote_transport: null,
    remote_build_id: null,
    remote_build_state: null,
    remote_error_code: null,
    created_by: null,
    updated_by: null,
    ...fields,
  });
}

export function fakeOutput(fields: Partial<Output> & { readonly content_type: string }): Output {
  return {
    rows: null,
    columns: null,
    bytes: 0,
    artifact_uri: null,
    preview: null,
    inline_data_url: null,
    markdown_text: null,
    width: null,
    height: null,
    error: null,
    ...fields,
  };
}

export const readyEnvironment: z.infer<typeof environment> = {
  requested_python_version: '3.13',
  runtime_python_version: '3.13.5',
  python_version: '3.13.5',
  lockfile_hash: 'a1b2',
  package_count: 14,
  declared_package_count: 4,
  resolved_package_count: 14,
  sync_state: 'ready',
  sync_error: null,
  sync_notice: null,
  last_synced_at: 1_700_000_000_000,
  last_sync_duration_ms: 1_200,
  has_lockfile: true,
  venv_python: '.venv/bin/python',
  interpreter_source: 'venv',
};

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

export function fakeBody(
  fields: { name: string; cells: readonly Cell[] } & Partial<NotebookBody>,
): NotebookBody {
  return {
    id: 'nb-1',
    owner: null,
    worker: null,
    timeout: null,
    env: {},
    env_sources: {},
    env_fetch_error: null,
    env_fetched_at: null,
    ai: {},
    workers: [],
    mounts: [],
    connections: [],
    catalogs: {},
    malformed_connections: [],
    secret_manager_config: {},
    r: {},
    variant_groups: [],
    created_at: null,
    updated_at: null,
    environment: readyEnvironment,
    environment_job: null,
    environment_job_history: [],
    r_environment: {
      has_lockfile: false,
      current_lock_hash: '',
      lock_hash: '',
      r_version: '',
      system_r_version: null,
      last_synced_at: 0,
      sync_state: 'absent',
      sync_error: null,
      packages: [],
      packages_status: 'absent',
      packages_error: null,
    },
    ...fields,
    cells: [...fields.cells],
  };
}
