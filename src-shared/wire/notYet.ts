/**
 * What the documents have and this version does not: asked for, it says so (docs/status.md lists the same). The key
 * is who is missing, as a sentence begins; `{name}` stands for any one step of an address.
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
  'Promotion of results': ['POST /v1/notebooks/{sid}/artifacts/{artifact_id}/v/{version}/promote'],
  'The core data plane': [
    'POST /v1/materialize',
    'GET /v1/streams/{stream_id}',
    'GET /v1/artifacts',
    'PUT /v1/artifacts',
    'POST /v1/artifacts',
    'GET /v1/artifacts/stats',
    'POST /v1/artifacts/gc',
    'POST /v1/cache/clear',
    'GET /v1/cache/entries',
    'GET /v1/cache/histogram',
    'GET /v1/debug/cache/inspect',
    'POST /v1/metadata/cleanup',
    'POST /v1/artifacts/{artifact_id}/v/{version}/pin',
    'DELETE /v1/artifacts/{artifact_id}/v/{version}/pin',
  ],
  'Publishing of results': [
    'POST /v1/artifacts/{artifact_id}/v/{version}/publish',
    'PATCH /v1/publications/{token}',
    'DELETE /v1/publications/{token}',
  ],
  'Administration of the service': [
    'GET /metrics',
    'GET /metrics/prometheus',
    'GET /metrics/tables',
    'GET /metrics/tables/{table_id}',
    'GET /v1/logs',
    'GET /v1/logs/stream',
    'GET /v1/admin/tenants',
    'GET /v1/admin/tenants/{tenant_id}',
    'POST /v1/registry/pending/approve',
    'POST /v1/registry/pending/reject',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Frames of a client that only the assistant could answer; none of its own is sent. */
export const NOT_YET_FRAMES: readonly string[] = ['agent_cancel', 'agent_confirm_response'];

/** In words. */
export function notYet(what: string): string {
  return `${what} is not part of this version yet. See docs/status.md.`;
}
