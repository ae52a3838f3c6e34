/**
 * The fields of each shape as docs/spec names them (rest-notebooks.md, live-protocol.md, notebook-file.md), written by
 * hand. `key?` may be absent, `key~` may be null. Fields after the bar are extensions: they may be absent, except those
 * marked `!`.
 */
export const SHAPES = {
  /** docs/spec/rest-notebooks.md, 2.1. */
  notebookBody: `id name owner~ worker~ timeout~ env env_sources env_fetch_error~ env_fetched_at~ ai workers mounts
    connections catalogs malformed_connections secret_manager_config r cells variant_groups created_at~ updated_at~
    environment environment_job~ environment_job_history r_environment | folder_problem recheck_notice damaged_notice untrusted
    package_sources waiting_packages run_queue auto_run app`,
  /** docs/spec/rest-notebooks.md, 2.2. */
  cell: `id source test_source test_result~ language order status staleness~ staleness_reasons defines references
    mutation_defines builtin_references upstream_ids downstream_ids is_leaf worker~ timeout~ env mounts
    worker_override~ timeout_override~ env_overrides mount_overrides variant_group~ variant_name~ variant_active
    annotation_diagnostics artifact_uri~ artifact_uris display_outputs display_output~ console_stdout console_stderr
    error~ cache_hit execution_method~ remote_worker~ remote_transport~ remote_build_id~ remote_build_state~
    remote_error_code~ annotations is_module_cell? module_exports? causality? shadow_warnings? widget? created_by~
    updated_by~ | past_error fan_out last_duration_ms~ file_problem tests_running unsaved running_since
    stopping stopped_ms unkept unread_uris mutation_warnings imported team_cache`,
  testResult: `passed failed errored skipped tests cell_source_hash test_source_hash input_fingerprint ran_at
    pytest_unavailable auto_installed stale | problem`,
  testCase: 'name nodeid outcome message | line~ duration_ms',
  diagnostic: 'severity code message line~ | subject',
  annotations: 'name~ worker~ timeout~ env mounts tables loop~ variant~',
  output: `content_type rows~ columns~ bytes artifact_uri~ preview inline_data_url~ markdown_text~ width~ height~ error~
    | preview_truncated text lacks variant usage file`,
  widget: 'descriptors values',
  /** docs/spec/rest-notebooks.md, 2.3, 2.4. */
  variantGroup: 'group active_name active_cell_id mode members',
  dag: 'edges topological_order leaves roots variable_producer error?',
  linkedDag: 'edges topological_order leaves roots error?',
  edge: 'from_cell_id to_cell_id variable',
  /** docs/spec/rest-notebooks.md, 2.5, 2.9. */
  environment: `requested_python_version runtime_python_version python_version lockfile_hash package_count
    declared_package_count resolved_package_count sync_state sync_error~ sync_notice~ last_synced_at~
    last_sync_duration_ms~ has_lockfile venv_python~ interpreter_source`,
  rEnvironment: `has_lockfile current_lock_hash lock_hash r_version system_r_version~ last_synced_at sync_state
    sync_error~ packages packages_status packages_error~`,
  environmentJob: `id action command status started_at package~ phase~ duration_ms~ stdout stderr stdout_truncated
    stderr_truncated finished_at~ lockfile_changed stale_cell_count stale_cell_ids error~`,
  operationLog: 'command duration_ms~ stdout stderr stdout_truncated stderr_truncated',
  environmentPayload: `environment environment_job~ environment_job_history dependencies resolved_dependencies
    r_environment`,
  dependency: 'name version~ specifier~',
  mount: 'name uri mode pin~ options credential~',
  workerSpec: 'name backend runtime_id~ config',
  runtimeConfig: `deployment_mode default_parent_path available_python_versions default_python_version
    python_selection_fixed registry_enabled team_store_configured`,
  /** docs/spec/rest-notebooks.md, 2.10. */
  executionResult: `cell_id status stdout stderr outputs displays display~ duration_ms error~ traceback~ cache_hit
    artifact_uri~ execution_method mutation_warnings from_team_cache team_cache_principal~ team_cache_build_env
    team_cache_saved_ms team_cache_promotion~ error_code? suggest_install? suggest_install_language? remote_worker?
    remote_transport? remote_build_id? remote_build_state? remote_error_code?`,
  outputPreview:
    'content_type file? bytes? preview? rows? columns? codec? type? error? | preview_truncated text',
  mutationWarning: 'var_name message suggestion~ | fix',
  loopIteration: 'iteration artifact_uri artifact_id version content_type byte_size row_count~ created_at',
  columnSummary: 'name dtype nulls distinct min max',
  schemaTable: 'catalog~ schema~ name columns',
  jupyterReport: `markdown_cells code_cells suppressed_outputs skipped_cells translated_magics dropped_magics
    dropped_shells captured_deps warnings report_path~ report_text | !findings`,
  snapshotReport: 'imported_artifacts replaced_notebook_id~ by_reference_cells',
  discoveredNotebook: 'path name~ notebook_id~ updated_at~',
} as const;

/**
 * Payloads of the frames that the server sends: docs/spec/live-protocol.md, 5.1, with the error codes of section 9.
 * Frames after the bar of the list are extensions.
 */
export const SERVER_PAYLOADS = {
  cell_status: `cell_id status staleness_reasons? causality? remote_worker? remote_transport? remote_build_state?
    remote_queue_position? remote_queue_detail? | remote_build_id stopped_ms run_progress`,
  cell_output: `cell_id outputs display? displays? cache_hit duration_ms artifact_uri~ artifact_uris stdout stderr
    execution_method mutation_warnings remote_worker? remote_transport? remote_build_id? remote_build_state?
    remote_error_code? | widget unread_uris team_cache`,
  cell_output_delta: 'cell_id attempt kind text',
  cell_console: 'cell_id stream text chunk_seq~',
  cell_error: `cell_id error stdout? stderr? suggest_install? suggest_install_language? error_code? remote_worker?
    remote_transport? remote_build_id? remote_build_state? remote_error_code?`,
  cell_iteration_progress: 'cell_id iteration max_iter artifact_uri content_type until_reached duration_ms',
  cell_variant_progress: 'cell_id variant index total success duration_ms error~',
  cell_test_status: 'cell_id status',
  cell_test_results:
    'cell_id passed failed errored skipped tests stale pytest_unavailable ran_at auto_installed | problem',
  cascade_prompt: 'cell_id plan_id cells_to_run estimated_duration_ms | steps targets',
  cascade_progress: 'plan_id current_cell_id completed total',
  dag_update: 'edges roots leaves topological_order cells variant_groups | error edited',
  impact_preview: 'target_cell_id upstream downstream estimated_ms',
  profiling_summary: `total_execution_ms cache_hits cache_misses cache_savings_ms team_cache_savings_ms team_cache_hits
    team_contributors team_promotions total_artifact_bytes cell_profiles`,
  inspect_result: `cell_id action expr? ok result? type? error? stdout? | stderr displays duration_ms statement missing`,
  environment_job_started: 'environment_job',
  environment_job_progress: 'environment_job',
  environment_job_finished: `environment_job environment_job_history cells lockfile_changed stale_cell_count
    stale_cell_ids environment? r_environment? dependencies? resolved_dependencies? warnings? imported_count?`,
  dependency_changed: `package action success error~ lockfile_changed stale_cell_count cells environment? dependencies?
    resolved_dependencies?`,
  presence: 'principals you | others',
  agent_text_delta: 'job_id text',
  agent_confirm_request: 'job_id request_id tool arguments args summary | !preview !expires_at',
  agent_progress: 'job_id event detail data',
  agent_done: 'job_id content model tokens iterations tool_calls cancelled error~ | !error_code?~ !undo_id~',
  agent_note: 'source text',
  session_closed: 'reason message',
  error: 'error code? cell_id? held_by? | source base_source',
} as const;

/**
 * Fields of the frames that a client sends (docs/spec/live-protocol.md, 4), with the scope that each needs
 * (docs/spec/live-protocol.md, 3): r, w or x.
 */
export const CLIENT_PAYLOADS = {
  cell_execute: ['x', 'cell_id | queue'],
  cell_execute_cascade: ['x', 'cell_id plan_id'],
  cell_execute_force: ['x', 'cell_id | queue'],
  cell_execute_rerun: ['x', 'cell_id | queue'],
  cell_cancel: ['x', 'cell_id'],
  notebook_run_all: ['x', 'continue_on_error? | queue'],
  notebook_rerun_all: ['x', 'continue_on_error? | queue'],
  cell_source_update: ['w', 'cell_id source force? author?~ | base'],
  cell_focus: ['r', 'cell_id?~ author?~'],
  cell_run_tests: ['x', 'cell_id test_source | base'],
  notebook_sync: ['r', ''],
  impact_preview_request: ['r', 'cell_id'],
  profiling_request: ['r', ''],
  inspect_open: ['x', 'cell_id?'],
  inspect_eval: ['x', 'cell_id? expr?'],
  inspect_close: ['x', 'cell_id?'],
  dependency_add: ['x', 'package'],
  dependency_remove: ['x', 'package'],
  variant_set_active: ['w', 'group name'],
  variant_add: ['w', 'group author?~'],
  widget_update: ['x', 'cell_id values'],
  agent_cancel: ['x', '| job_id~'],
  agent_confirm_response: ['x', 'job_id?~ request_id?~ approved?'],
} as const;
