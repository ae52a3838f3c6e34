/**
 * Configuration variables of the server: where it listens, which clients it trusts, and its limits
 * (docs/spec/configuration.md, 2).
 */

import { basePath } from '../basePath.ts';
import { choice, decimal, flag, integer, jsonObject, optional, text } from '../codec.ts';
import { variable } from '../variable.ts';
import { frameAncestorList, headerName, host, hostPatterns, originList, serverUrl } from '../webCodecs.ts';

export const SERVER_VARIABLES = {
  SVC_HOST: variable(host, '127.0.0.1', 'Address to listen on.'),
  SVC_PORT: variable(integer(1, 65535), 8765, 'Port to listen on.'),
  SVC_PUBLIC_BASE_URL: variable(
    optional(serverUrl),
    null,
    'Public origin for links; unset: the origin of the request.',
  ),
  SVC_PUBLIC_BASE_PATH: variable(basePath, '', 'Path prefix of a reverse proxy in front of the server.'),
  SVC_DEPLOYMENT_MODE: variable(
    choice('personal', 'service'),
    'personal',
    'One user without sign-in, or a service.',
  ),
  SVC_ALLOW_REMOTE_CLIENTS_IN_PERSONAL: variable(
    flag,
    false,
    'Allows a personal server to listen beyond this machine.',
  ),
  SVC_CORS_ALLOW_ORIGINS: variable(originList, [], 'Other origins that may call the server.'),
  SVC_ALLOWED_HOSTS: variable(
    hostPatterns,
    [],
    'Host names that are accepted besides loopback, IP addresses and the bind host; a leading dot matches a suffix, `*` all.',
  ),
  SVC_EMBED_FRAME_ANCESTORS: variable(
    frameAncestorList,
    [],
    'Origins allowed to frame the app view; `*` allows any.',
  ),
  SVC_MCP_ENABLED: variable(flag, false, 'Enables the agent endpoint at /mcp.'),
  SVC_ARROW_MEMORY_POOL: variable(
    optional(choice('default', 'system', 'jemalloc', 'mimalloc')),
    null,
    'Memory pool of Arrow data.',
  ),
  SVC_AUTH_MODE: variable(choice('none', 'trusted_proxy', 'api_key'), 'none', 'How callers are identified.'),
  SVC_PROXY_TOKEN: variable(optional(text), null, 'Secret shared with the trusted proxy.', { secret: true }),
  SVC_PROXY_TOKEN_HEADER: variable(headerName, 'X-Svc-Proxy-Token', 'Header that carries the proxy secret.'),
  SVC_PRINCIPAL_HEADER: variable(headerName, 'X-Svc-Principal', 'Header that names the caller.'),
  SVC_SCOPES_HEADER: variable(headerName, 'X-Svc-Scopes', "Header that lists the caller's scopes."),
  SVC_HIDE_FORBIDDEN_AS_NOT_FOUND: variable(
    flag,
    true,
    'Answers 404 for tables and artifacts that a caller may not see.',
  ),
  SVC_SERVICE_WRITES_ENABLED: variable(
    flag,
    false,
    'Allows authenticated callers to write artifacts in service mode.',
  ),
  SVC_ACL_CONFIG: variable(optional(jsonObject), null, 'Access-control rules.', { projectKey: 'acl' }),
  SVC_MULTI_TENANT_ENABLED: variable(flag, false, 'Separates the data of tenants.'),
  SVC_TENANT_HEADER: variable(headerName, 'X-Tenant-ID', 'Header that names the tenant.'),
  SVC_REQUIRE_TENANT_HEADER: variable(flag, false, 'Refuses requests that name no tenant.'),
  SVC_RATE_LIMIT_ENABLED: variable(flag, true, 'Limits requests to /v1.'),
  SVC_RATE_LIMIT_GLOBAL_RPS: variable(
    decimal(0, 'above'),
    1000,
    'Requests per second of all callers together.',
  ),
  SVC_RATE_LIMIT_CLIENT_RPS: variable(decimal(0, 'above'), 100, 'Requests per second of one client.'),
  SVC_RATE_LIMIT_SCAN_RPS: variable(decimal(0, 'above'), 50, 'Scan requests per second.'),
  SVC_RATE_LIMIT_WARM_RPS: variable(decimal(0, 'above'), 10, 'Cache warming requests per second.'),
  SVC_RATE_LIMIT_GLOBAL_BURST: variable(decimal(1), 100, 'Burst size for all callers together.'),
  SVC_RATE_LIMIT_CLIENT_BURST: variable(decimal(1), 20, 'Burst size for one client.'),
  SVC_LOG_LEVEL: variable(
    choice('DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'),
    'INFO',
    'Minimum severity of log entries on stderr.',
  ),
  SVC_LOG_FORMAT: variable(
    choice('json', 'text'),
    'json',
    'One JSON object, or one line of text, per entry.',
  ),
  SVC_METRICS_ENABLED: variable(flag, true, 'Enables the counters of /metrics.'),
  SVC_TRACING_ENABLED: variable(flag, true, 'Sends traces if an OTLP endpoint is set.'),
};
