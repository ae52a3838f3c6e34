/**
 * The REST routes of docs/spec that exist, with scope, input and fields of the answer, copied by hand.
 * documented.test.ts compares the contracts with them.
 */

const REGISTRY = 'configured_workers workers definitions_editable health_checked_at';
const STATS =
  'total_versions ready_versions building_versions superseded_versions failed_versions total_bytes total_rows name_count';
const MATCH =
  'artifact_id version provenance_hash content_type state arrow_schema row_count~ byte_size~ created_at principal~ build_env~ build_duration_ms~ env_hash~ promotion~ content_sha256~ | shared_run~';
const PUBLICATION =
  'id token~ url~ artifact_id version title~ published_at published_by~ revoked_at~ authors external_ids';
const MATERIALIZE = 'body: inputs transform name?~ mode? refresh? stream_timeout_seconds?~';
const MATERIALIZED = 'hit artifact_uri~ state build_spec~ build_id~ stream_id~ stream_url~';
const WARM_JOB =
  'job_id status tables_total tables_completed row_groups_total row_groups_completed row_groups_cached row_groups_skipped bytes_written started_at~ completed_at~ elapsed_ms current_table~ errors';
const BUILD =
  'build_id artifact_id version state artifact_uri executor_ref progress~ created_at started_at~ completed_at~ error_message~ error_code~';

/**
 * By route: its scope (r, w, x, signed, …), its input (`body: …`, `query: …`, `form: …`) and the fields of its answer,
 * as in documentedShapes.ts. An answer in capitals is a named shape or bytes.
 */
export const DOCUMENTED_ROUTES: Readonly<
  Record<string, readonly [scope: string, takes: string, answer: string]>
> = {
  'POST /create': ['w', 'body: parent_path name python_version?~ starter_cell?', 'STATE'],
  'POST /open': ['w', 'body: path', 'STATE'],
  'POST /{sid}/close': ['w', '', 'closed session_id path'],
  'POST /import': ['w', 'form: name? parent_path? | folder', 'STATE'],
  'POST /import-snapshot': ['w', 'form: name? parent_path? | folder', 'STATE'],
  'DELETE /{sid}': ['w', '', 'deleted session_id name path'],
  'POST /delete-by-path': ['w', 'body: path', 'deleted path'],
  'POST /{sid}/quiesce': [
    'admin',
    'body: timeout_seconds? max_hold_seconds?',
    'path notebooks cancelled_cells hold_expires_in_seconds',
  ],
  'POST /{sid}/release': ['admin', '', 'path released'],
  'POST /v1/projects/{path}/quiesce': [
    'admin',
    'body: timeout_seconds? max_hold_seconds?',
    'path notebooks cancelled_cells hold_expires_in_seconds',
  ],
  'POST /v1/projects/{path}/release': ['admin', '', 'path released'],
  'GET /discover': ['r', '', 'root~ notebooks'],
  'POST /recents/validate': ['w', 'body: paths', 'valid'],
  'PUT /{sid}/name': ['w', 'body: name', 'notebook_id name'],
  'GET /sessions': ['r', '', 'sessions'],
  'GET /sessions/{sid}': ['r', '', 'STATE'],
  'GET /config': ['r', '', 'RUNTIME CONFIG'],
  'GET /{sid}/cells': ['r', '', 'notebook_id cells'],
  'POST /{sid}/cells': ['w', 'body: after_cell_id?~ language? author?~', 'CELL'],
  'PUT /{sid}/cells/{cell_id}': ['w', 'body: source author?~ force? | base', 'cell dag cells'],
  'DELETE /{sid}/cells/{cell_id}': ['w', '', 'message cell_id variant_groups cells dag'],
  'PUT /{sid}/cells/reorder': ['w', 'body: cell_ids', 'notebook_id cells'],
  'POST /{sid}/cells/{cell_id}/execute': ['x', 'query: mode?', 'EXECUTION RESULT'],
  'POST /{sid}/cells/{cell_id}/cancel': ['x', '', 'cell_id cancelled status'],
  'PUT /{sid}/cells/{cell_id}/tests': ['w', 'body: source | base', 'CELL'],
  'POST /{sid}/cells/{cell_id}/tests': [
    'x',
    '',
    'cell_id passed failed errored skipped pytest_unavailable ran_at tests | problem',
  ],
  'GET /{sid}/cells/{cell_id}/iterations': ['r', 'query: variable?', 'cell_id variable~ iterations'],
  'GET /{sid}/cells/{cell_id}/data': [
    'r',
    'query: artifact_uri offset? limit? sort_by? sort_dir? search? filters? | sort',
    'TABLE PAGE',
  ],
  'GET /{sid}/cells/{cell_id}/data/summary': ['r', 'query: artifact_uri', 'TABLE SUMMARY'],
  'GET /{sid}/cells/{cell_id}/data/export': [
    'r',
    'query: artifact_uri fmt? sort_by? sort_dir? search? filters? | sort',
    'BYTES',
  ],
  'GET /{sid}/cells/{cell_id}/outputs/{index}/blob': ['r', '', 'BYTES'],
  'GET /{sid}/dag': ['r', '', 'edges topological_order leaves roots variable_producer error?'],
  'GET /{sid}/artifacts': ['r', '', 'cells readers'],
  'POST /{sid}/artifacts/{artifact_id}/v/{version}/promote': [
    'w',
    'body: name?~ alias?~ tags? table?~',
    'name~ artifact_uri copied alias~ alias_pending table~ table_snapshot~ store',
  ],
  'POST /{sid}/variant-groups/{group_id}/variants': [
    'w',
    '',
    'new_variant_name new_cell_id variant_groups cells',
  ],
  'PUT /{sid}/variant-groups/{group_id}': ['w', 'body: active?~ mode?~', 'variant_groups cells'],
  'GET /{sid}/environment': ['r', '', 'EP'],
  'GET /{sid}/dependencies': ['r', '', 'EP'],
  'GET /{sid}/r-packages': ['r', '', 'packages packages_status packages_error~'],
  'POST /{sid}/dependencies': [
    'x',
    'body: package',
    'success package lockfile_changed operation_log EP EC cells',
  ],
  'DELETE /{sid}/dependencies/{package_name}': [
    'x',
    '',
    'success package lockfile_changed operation_log EP EC cells',
  ],
  'POST /{sid}/environment/sync': ['x', '', 'EP lockfile_changed EC operation_log cells'],
  'GET /{sid}/environment/jobs/current': ['r', '', 'EP cells'],
  'POST /{sid}/environment/jobs': [
    'x',
    'body: action package?~ requirements?~ environment_yaml?~',
    'accepted reason? EP cells',
  ],
  'PUT /{sid}/python-version': ['x', 'body: python_version', 'accepted reason? EP cells'],
  'GET /{sid}/environment/requirements.txt': ['r', '', 'BYTES'],
  'POST /{sid}/environment/requirements.txt': [
    'x',
    'body: requirements',
    'success imported_count lockfile_changed operation_log EP EC cells',
  ],
  'POST /{sid}/environment/environment.yaml': [
    'x',
    'body: environment_yaml',
    'success imported_count lockfile_changed operation_log EP EC cells warnings',
  ],
  'POST /{sid}/environment/requirements.txt/preview': ['r', 'body: requirements', 'PREVIEW EP'],
  'POST /{sid}/environment/environment.yaml/preview': ['r', 'body: environment_yaml', 'PREVIEW EP'],
  'GET /{sid}/workers': ['r', 'query: | refresh', 'workers definitions_editable health_checked_at'],
  'PUT /{sid}/workers': [
    'w',
    'body: workers?',
    'workers definitions_editable health_checked_at configured_workers',
  ],
  'PUT /{sid}/worker': ['w', 'body: worker~', 'workers definitions_editable health_checked_at worker cells'],
  'PUT /{sid}/mounts': ['w', 'body: mounts?', 'mounts cells'],
  'GET /{sid}/connections': ['r', '', 'connections'],
  'PUT /{sid}/connections': ['w', 'body: connections?', 'connections malformed_connections cells'],
  'GET /{sid}/connections/{name}/schema': ['r', '', 'connection driver tables'],
  'GET /{sid}/export': [
    'r',
    'query: fmt? include? cells? include_inactive_variants? app_view? | app_layout console max_output_bytes',
    'BYTES',
  ],
  'PUT /{sid}/timeout': ['w', 'body: timeout?~', 'timeout~ cells'],
  'PUT /{sid}/env': [
    'w',
    'body: env?',
    'env env_sources env_fetch_error~ env_fetched_at~ secret_manager_config cells',
  ],
  'PUT /{sid}/secret-manager/config': [
    'w',
    'body: provider?~ project_id?~ environment?~ path?~ base_url?~',
    'env env_sources env_fetch_error~ env_fetched_at~ secret_manager_config cells',
  ],
  'POST /{sid}/secret-manager/refresh': [
    'w',
    '',
    'env env_sources env_fetch_error~ env_fetched_at~ secret_manager_config cells',
  ],
  'GET /{sid}/ai/status': ['r', '', 'available model~ provider~ | !base_url~ !hint~ !own'],
  'GET /{sid}/ai/models': ['r', '', 'models current~ provider~'],
  'PUT /{sid}/ai/model': ['w', 'body: model', 'model'],
  'POST /{sid}/ai/complete': ['x', 'body: message cell_id?~ history? | leave_out', 'content model tokens'],
  'POST /{sid}/ai/stream': ['x', 'body: message cell_id?~ history? | leave_out', 'BYTES'],
  'POST /{sid}/ai/agent': [
    'x',
    'body: message auto_approve? | confirm_all extra_tools leave_out mark',
    'job_id status',
  ],
  'POST /{sid}/ai/agent/reset': ['x', '', 'status'],
  'POST /{sid}/workers/ssh': ['x', '', 'ANY'],
  'DELETE /{sid}/workers/ssh/{name}': ['w', '', 'ANY'],
  'GET /{sid}/workers/ssh': ['r', '', 'ANY'],
  // docs/spec/core-services.md, 4.
  'GET /v1/registry/summary': ['any', '', 'names'],
  'GET /v1/registry/pending': ['any', '', 'pending'],
  'GET /v1/registry/audit': ['any', 'query: name? artifact_id? limit?', 'entries'],
  'GET /v1/registry/artifacts': ['any', 'query: tag_key tag_value?', 'artifacts'],
  'POST /v1/registry/pending/approve': ['approve', 'body: name alias', 'status applied'],
  'POST /v1/registry/pending/reject': ['approve', 'body: name alias', 'status rejected'],
  'GET /v1/events': ['any', 'query: since? limit?', 'events next'],
  'GET /v1/names': ['any', '', 'names'],
  'POST /v1/names': ['put', 'body: artifact_id version name', 'name_uri artifact_uri'],
  'GET /v1/names/{name}': ['any', '', 'artifact_uri version updated_at'],
  'DELETE /v1/names/{name}': ['put', '', 'status name'],
  'GET /v1/artifacts/names/{name}/status': [
    'any',
    '',
    'name artifact_uri artifact_id version state updated_at input_versions is_stale stale_reason~ changed_inputs~',
  ],
  'GET /v1/names/{name}/aliases': ['any', '', 'name aliases'],
  'GET /v1/names/{name}/aliases/{alias}': ['any', '', 'name alias artifact_uri artifact_id version state'],
  'PUT /v1/names/{name}/aliases/{alias}': [
    'put',
    'body: artifact_id version',
    'status name alias artifact_uri? detail?',
  ],
  'DELETE /v1/names/{name}/aliases/{alias}': ['put', '', 'status name alias'],
  'GET /v1/artifacts': [
    'any',
    'query: limit? offset? state? name_prefix? since? sort? order?',
    'artifacts limit offset',
  ],
  'PUT /v1/artifacts': ['put', '', 'artifact_uri hit byte_size name_uri?'],
  'POST /v1/artifacts': ['put', '', 'artifact_uri hit byte_size name_uri?'],
  'GET /v1/artifacts/stats': ['any', 'query: tenant?', STATS],
  'GET /v1/artifacts/usage': [
    'any',
    'query: tenant?',
    `${STATS} unique_artifacts unreferenced_count oldest_artifact~ newest_artifact~`,
  ],
  'GET /v1/artifacts/{artifact_id}/v/{version}': [
    'any',
    '',
    'artifact_id version state arrow_schema row_count~ byte_size~ created_at content_sha256~ provenance_hash transform_spec input_versions',
  ],
  'DELETE /v1/artifacts/{artifact_id}/v/{version}': ['put', '', 'deleted artifact_uri'],
  'GET /v1/artifacts/{artifact_id}/v/{version}/data': ['any', '', 'BYTES'],
  'GET /v1/artifacts/{artifact_id}/v/{version}/lineage': [
    'any',
    'query: max_depth?',
    'artifact_uri artifact_id version nodes edges depth direct_inputs',
  ],
  'GET /v1/artifacts/{artifact_id}/v/{version}/dependents': [
    'any',
    'query: limit?',
    'artifact_uri artifact_id version dependents total_count',
  ],
  'POST /v1/artifacts/{artifact_id}/v/{version}/export': [
    'put',
    'body: table alias?~',
    'table snapshot_id created artifact_uri',
  ],
  'POST /v1/artifacts/{artifact_id}/v/{version}/pin': [
    'pin',
    'body: reason',
    'artifact_id version reason tenant pinned_by~ pinned_at',
  ],
  'DELETE /v1/artifacts/{artifact_id}/v/{version}/pin': [
    'pin',
    'query: reason',
    'unpinned artifact_id version reason',
  ],
  'GET /v1/artifacts/{artifact_id}/v/{version}/tags': ['any', '', 'artifact_id version tags'],
  'PUT /v1/artifacts/{artifact_id}/v/{version}/tags': ['put', 'body: key value', 'artifact_id version'],
  'DELETE /v1/artifacts/{artifact_id}/v/{version}/tags/{key}': ['put', '', 'artifact_id version tags'],
  'GET /v1/artifacts/by-provenance/{provenance_hash}': ['any', '', MATCH],
  'PUT /v1/artifacts/by-provenance/{provenance_hash}': ['put', '', MATCH],
  'PUT /v1/artifacts/import/blobs/{sha256}': ['put', '', 'content_sha256 byte_size'],
  'POST /v1/artifacts/import': ['put', 'query: remap?', 'artifact_uri id version written remapped'],
  'POST /v1/artifacts/upload/{artifact_id}/v/{version}': ['put', '', 'status byte_size'],
  'POST /v1/artifacts/finalize': [
    'put',
    'body: artifact_id version arrow_schema row_count name?~',
    'artifact_uri byte_size name_uri?',
  ],
  'POST /v1/artifacts/{artifact_id}/v/{version}/publish': [
    'publish',
    'body: title?~ authors?~ external_ids?~',
    PUBLICATION,
  ],
  'GET /v1/publications': ['any', 'query: include_revoked?', 'LIST'],
  'GET /v1/publications/{token}': ['signed', '', 'publication artifact? content_sha256?~ lineage? claims?'],
  'PATCH /v1/publications/{token}': ['publish', 'body: authors?~ external_ids?~', PUBLICATION],
  'DELETE /v1/publications/{token}': ['publish', '', 'revoked token'],
  'POST /v1/artifacts/gc': [
    'owner',
    'query: max_idle_days? max_bytes? min_idle_seconds? collect_latest? dry_run?',
    'deleted_count deleted_bytes store_bytes dry_run collected?',
  ],
  // docs/spec/core-services.md, 1, 2, 7, 9.
  'POST /v1/materialize': ['any', MATERIALIZE, MATERIALIZED],
  'POST /v1/artifacts/materialize': ['any', MATERIALIZE, MATERIALIZED],
  'POST /v1/artifacts/explain-materialize': [
    'any',
    'body: inputs transform name?~',
    'would_hit artifact_uri~ would_build is_stale stale_reason~ changed_inputs resolved_input_versions',
  ],
  // The documents name this route only in the rate limits, without a shape.
  'POST /v1/scan': ['any', '', 'ANY'],
  'GET /v1/streams/{stream_id}': ['any', '', 'BYTES'],
  'GET /v1/config/timeouts': ['any', '', 'planning scanning qos_queue fetching s3'],
  'GET /v1/cache/stats': [
    'any',
    '',
    'total_entries total_size_bytes max_size_bytes usage_percent oldest_entry~ newest_entry~ entries_by_table entries_by_snapshot',
  ],
  'GET /v1/cache/entries': ['cache', '', 'entries'],
  'GET /v1/cache/evictions': [
    'any',
    'query: include_events? limit?',
    'total_evictions total_files_evicted total_bytes_evicted evictions_last_minute evictions_last_hour bytes_evicted_last_minute bytes_evicted_last_hour eviction_rate_per_minute last_eviction_at~ pressure_level recent_events?',
  ],
  'GET /v1/cache/histogram': ['cache', '', 'lifetime windows top_tables'],
  'POST /v1/cache/clear': ['cache', '', 'status'],
  'POST /v1/cache/warm': [
    'any',
    'body: tables columns?~ max_row_groups?~ concurrent?',
    'tables_warmed row_groups_cached row_groups_skipped bytes_written elapsed_ms errors',
  ],
  'POST /v1/cache/warm/async': [
    'any',
    'body: tables columns?~ max_row_groups?~ concurrent? snapshot_id? priority?',
    'job_id status tables_count message',
  ],
  'GET /v1/cache/warm/jobs': ['any', 'query: include_completed?', 'jobs'],
  'GET /v1/cache/warm/jobs/{job_id}': ['any', '', WARM_JOB],
  'DELETE /v1/cache/warm/jobs/{job_id}': ['any', '', 'cancelled message'],
  'GET /v1/metadata/stats': ['any', '', 'parquet_cache manifest_cache metadata_store~'],
  'POST /v1/metadata/cleanup': ['cache', '', 'status stale_entries_removed'],
  'GET /v1/debug/cache/inspect': [
    'cache',
    'query: prefix? table_id? snapshot_id? limit?',
    'cache_version cache_dir entries total_matched truncated prefix_filter~ table_id_filter~ snapshot_id_filter~',
  ],
  // docs/spec/remote-execution.md, 7, 8.
  'GET /v1/admin/notebook-workers': ['workers', 'query: refresh?', REGISTRY],
  'PUT /v1/admin/notebook-workers': ['workers', 'body: workers', REGISTRY],
  'POST /v1/admin/notebook-workers': [
    'workers',
    'body: name backend? runtime_id?~ config? enabled?',
    REGISTRY,
  ],
  'PUT /v1/admin/notebook-workers/{name}': [
    'workers',
    'body: name backend? runtime_id?~ config? enabled?',
    REGISTRY,
  ],
  'PATCH /v1/admin/notebook-workers/{name}': ['workers', 'body: enabled', REGISTRY],
  'DELETE /v1/admin/notebook-workers/{name}': ['workers', '', REGISTRY],
  'POST /v1/admin/notebook-workers/{name}/refresh': ['workers', '', REGISTRY],
  'POST /v1/admin/notebook-workers/reload': ['workers', '', REGISTRY],
  'GET /v1/builds/{build_id}': ['r', '', BUILD],
  'GET /v1/artifacts/builds/{build_id}': ['r', '', BUILD],
  'GET /v1/builds/{build_id}/manifest': ['x', '', 'build_id metadata inputs output finalize_url log_url'],
  'GET /v1/artifacts/download': [
    'signed',
    'query: artifact_id version build_id expires_at signature',
    'BYTES',
  ],
  'POST /v1/artifacts/upload': [
    'signed',
    'query: build_id max_bytes expires_at attempt? signature',
    'status build_id byte_size',
  ],
  'POST /v1/builds/{build_id}/log': ['signed', 'query: expires_at seq stream? signature', 'delivered'],
  'POST /v1/builds/{build_id}/finalize': [
    'signed',
    'query: expires_at lease? signature',
    'status build_id artifact_uri name_uri? byte_size row_count~',
  ],
};

/** Groups of fields that several answers have (docs/spec/rest-notebooks.md, 2.7). */
export const GROUPS: Readonly<Record<string, string>> = {
  EP: 'environment environment_job~ environment_job_history dependencies resolved_dependencies r_environment',
  EC: 'stale_cell_count stale_cell_ids warm_pool_reset',
  PREVIEW:
    'preview_dependencies normalized_requirements imported_count warnings additions removals unchanged',
};
