/** The table of all diagnostics of cells with their severities, and how one is created. */

import type { Diagnostic } from '../wire/cell.ts';

/**
 * All codes of diagnostics with their severity (docs/spec/annotations.md, 1.3). `untracked_read`, `sql_table_not_kept`,
 * `widget_argument_unknown`, `setup_…` and those of names that cannot be followed (`private_name` to
 * `reads_source`) are extensions (docs/extensions.md). Codes are used only through `diagnose`.
 */
export const DIAGNOSTIC_SEVERITY = {
  loop_missing_max_iter: 'error',
  loop_missing_carry: 'error',
  loop_until_syntax_error: 'error',
  loop_start_from_unknown: 'error',
  table_duplicate_name: 'error',
  sql_connection_missing: 'error',
  connection_malformed: 'error',
  connection_driver_unknown: 'error',
  mount_shadows_notebook: 'info',
  variant_active_redundant: 'info',
  per_variant_group_of_one: 'info',
  worker_unknown: 'warn',
  mount_uri_unsupported: 'warn',
  table_uri_malformed: 'warn',
  table_shadows_define: 'warn',
  fetch_unreadable: 'warn',
  dataset_unreadable: 'warn',
  timeout_not_numeric: 'warn',
  env_malformed: 'warn',
  loop_carry_unknown: 'warn',
  module_export_blocked: 'warn',
  prompt_output_schema_invalid: 'warn',
  sql_connection_unknown: 'warn',
  connection_auth_literal_secret: 'warn',
  sql_parse_error: 'warn',
  sql_analysis_failed: 'warn',
  sql_dynamic_table: 'warn',
  sql_table_not_kept: 'warn',
  cache_policy_unknown: 'warn',
  cache_ttl_invalid: 'warn',
  widget_invalid: 'warn',
  widget_bad_range: 'warn',
  widget_default_out_of_range: 'warn',
  widget_default_not_an_option: 'warn',
  widget_argument_unknown: 'warn',
  variant_malformed: 'warn',
  variant_contract_mismatch: 'warn',
  variant_mode_invalid: 'warn',
  variant_active_unknown: 'warn',
  per_variant_on_variant_member: 'warn',
  per_variant_unknown_group: 'warn',
  per_variant_no_sweep_source: 'warn',
  per_variant_ambiguous_group: 'warn',
  untracked_read: 'info',
  setup_not_python: 'warn',
  setup_not_first: 'warn',
  setup_duplicate: 'warn',
  setup_reads_cells: 'warn',
  setup_annotation: 'warn',
  setup_seed: 'info',
  private_name: 'warn',
  names_in_text: 'warn',
  hidden_define: 'warn',
  star_import: 'warn',
  magic_line: 'warn',
  asks_for_input: 'warn',
  keeps_earlier_value: 'warn',
  reads_source: 'info',
  lists_subclasses: 'warn',
  changes_shared_object: 'warn',
} as const satisfies Record<string, Diagnostic['severity']>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_SEVERITY;

/**
 * Creates a diagnostic. @param line 1-based, null without a single line @param subject the path or name it is
 * about, if a fix needs it
 */
export function diagnose(
  code: DiagnosticCode,
  message: string,
  line: number | null,
  subject?: string,
): Diagnostic {
  const diagnostic = { severity: DIAGNOSTIC_SEVERITY[code], code, message, line };
  return subject === undefined ? diagnostic : { ...diagnostic, subject };
}

/** Sorted by line, those without a line first; within a line in their original order. */
export function sortedByLine(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
