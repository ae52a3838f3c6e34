/**
 * Features of the documents that this version lacks: requests for them get a refusal (docs/status.md has the
 * same list). The key names the feature, as the start of a sentence; `{name}` is any one step of an address.
 */
export const NOT_YET = {
  'The assistant': [
    'POST /v1/notebooks/{sid}/ai/complete',
    'POST /v1/notebooks/{sid}/ai/stream',
    'POST /v1/notebooks/{sid}/ai/agent',
    'POST /v1/notebooks/{sid}/ai/agent/reset',
  ],
  'The endpoint for agents': [
    'GET /mcp',
    'POST /mcp',
    'DELETE /mcp',
    'GET /mcp/',
    'POST /mcp/',
    'DELETE /mcp/',
  ],
  'The core data plane': [
    'POST /v1/materialize',
    'POST /v1/scan',
    'POST /v1/artifacts/materialize',
    'POST /v1/artifacts/explain-materialize',
    'GET /v1/streams/{stream_id}',
    'GET /v1/config/timeouts',
  ],
  'Export of results to tables': ['POST /v1/artifacts/{artifact_id}/v/{version}/export'],
  'The row-group cache': [
    'GET /v1/cache/stats',
    'GET /v1/cache/entries',
    'GET /v1/cache/evictions',
    'GET /v1/cache/histogram',
    'POST /v1/cache/clear',
    'POST /v1/cache/warm',
    'POST /v1/cache/warm/async',
    'GET /v1/cache/warm/jobs',
    'GET /v1/cache/warm/jobs/{job_id}',
    'DELETE /v1/cache/warm/jobs/{job_id}',
    'GET /v1/metadata/stats',
    'POST /v1/metadata/cleanup',
    'GET /v1/debug/cache/inspect',
  ],
  'Administration of the service': [
    'GET /health/ready',
    'GET /health/dependencies',
    'GET /metrics',
    'GET /metrics/prometheus',
    'GET /metrics/tables',
    'GET /metrics/tables/{table_id}',
    'GET /v1/logs',
    'GET /v1/logs/stream',
    'GET /v1/admin/tenants',
    'GET /v1/admin/tenants/{tenant_id}',
    'GET /v1/debug/latency',
    'GET /v1/debug/gc/pauses',
    'GET /v1/debug/pools',
    'GET /v1/debug/connections',
    'GET /v1/debug/memory',
    'GET /v1/debug/rate-limits',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Client frames that only the assistant could answer; it is not implemented, so none is ever sent by the app
 * itself.
 */
export const NOT_YET_FRAMES: readonly string[] = ['agent_cancel', 'agent_confirm_response'];

/** The message of the refusal. */
export function notYet(what: string): string {
  return `${what} is not part of this version yet. See docs/status.md.`;
}
