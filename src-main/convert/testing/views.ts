import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { NOTHING_HIDDEN } from '../../lib/redactor.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';

/** A display with what the test says of it. For tests. */
export function display(parts: Partial<Output>): Output {
  return {
    content_type: 'json/object',
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
    ...parts,
  };
}

/** A cell as an export sees it, with what the test says of it. For tests. */
export function exportedCell(
  parts: Partial<Omit<Cell, 'annotations'>> & { readonly annotations?: Partial<Cell['annotations']> },
  more: Partial<Omit<ExportedCell, 'cell'>> = {},
): ExportedCell {
  const id = parts.id ?? 'c0000001';
  const cell: Cell = {
    id,
    source: '',
    test_source: '',
    test_result: null,
    language: 'python',
    order: 0,
    status: 'ready',
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
    ...parts,
    annotations: {
      name: null,
      worker: null,
      timeout: null,
      env: {},
      mounts: [],
      tables: [],
      loop: null,
      variant: null,
      ...parts.annotations,
    },
  };
  return {
    cell,
    title: id,
    appHide: false,
    sourceHash: 'source-hash',
    runtime: {
      provenanceHash: null,
      sourceHash: null,
      envHash: null,
      inputs: [],
      error: null,
      errorSourceHash: null,
      displays: [],
      executionSamples: [],
      lastExecutionMethod: null,
      cacheHit: false,
      logRun: null,
      facts: null,
      lastRun: null,
      testResult: null,
      widgetValues: {},
    },
    stored: {},
    isLoop: false,
    fetches: [],
    ...more,
  };
}

/** A notebook as an export sees it. For tests. */
export function exportView(dir: string, store: ArtifactStore, parts: Partial<ExportView> = {}): ExportView {
  return {
    dir,
    name: 'Sales of May',
    notebookId: 'n1',
    lockfileHash: 'lock',
    dag: { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} },
    cells: [],
    store,
    redactor: NOTHING_HIDDEN,
    ...parts,
  };
}
