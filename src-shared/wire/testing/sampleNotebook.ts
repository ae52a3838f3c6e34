/** Valid cells, outputs, environments and notebooks in the shapes of the wire, for tests. */

import { type Cell, cell } from '../cell.ts';
import type { Environment } from '../environment.ts';
import type { NotebookBody } from '../notebookState.ts';
import type { Output } from '../output.ts';

/** A cell before any run, with the test's changes; parsed by the schema, so that it stays valid. */
export function sampleCell(part: Partial<Cell> & Pick<Cell, 'id'>): Cell {
  return cell.parse({
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
    is_leaf: true,
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
    ...part,
  });
}

/** One display of a cell, with the test's changes. */
export function sampleOutput(part: Partial<Output> & { readonly content_type: string }): Output {
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
    ...part,
  };
}

/** An environment that can run cells. */
export const sampleEnvironment: Environment = {
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

/** A notebook's body with the given cells and the test's changes. */
export function sampleBody(
  part: Partial<NotebookBody> & { readonly name: string; readonly cells: readonly Cell[] },
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
    environment: sampleEnvironment,
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
    ...part,
    cells: [...part.cells],
  };
}
