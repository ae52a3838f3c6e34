/**
 * Features of the specification that this version lacks: requests for them get a refusal (docs/status.md has the same
 * list). The key names the feature, as the start of a sentence; `{name}` is any one segment of a path.
 */
export const NOT_YET = {
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

/** The message of the refusal. */
export function unsupportedMessage(what: string): string {
  return `${what} is not part of this version yet. See docs/status.md.`;
}
