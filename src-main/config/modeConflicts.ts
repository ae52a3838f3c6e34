import { transformsEnabled } from './transformRegistry.ts';
import type { Config } from './variables.ts';

/**
 * The settings that the deployment mode excludes, one line each, for the refusal at the start
 * (docs/spec/configuration.md, 6).
 */
export function modeConflicts(config: Config): readonly string[] {
  const rows = config.deploymentMode === 'service' ? serviceConflicts(config) : personalConflicts(config);
  return rows.flatMap(([applies, line]) => (applies ? [line] : []));
}

const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '::1']);

type Conflict = readonly [applies: boolean, line: string];

function serviceConflicts(c: Config): readonly Conflict[] {
  const principalAuth = c.authMode !== 'none';
  const noDir = c.artifactDir === null;
  const wantsStore =
    c.artifactMetadataDsn !== null || c.artifactBlobBackend !== 'local' || c.serviceWritesEnabled;
  return [
    [!principalAuth, "auth_mode='none': every route would be open"],
    [
      c.multiTenantEnabled && !principalAuth,
      'multi_tenant_enabled without principal authentication: the tenant header could be forged',
    ],
    [
      c.authMode === 'trusted_proxy' && c.proxyToken === null,
      "auth_mode='trusted_proxy' without proxy_token",
    ],
    [
      c.serviceWritesEnabled && c.authMode !== 'trusted_proxy',
      "service_writes_enabled without auth_mode='trusted_proxy'",
    ],
    [
      c.authMode === 'api_key' && noDir,
      "auth_mode='api_key' without artifact_dir: there is no place to store keys",
    ],
    [
      c.artifactMetadataDsn !== null && c.artifactBlobBackend === 'local',
      "artifact_metadata_dsn with artifact_blob_backend='local': other nodes could not read the bytes",
    ],
    [noDir && (wantsStore || transformsEnabled(c)), 'an artifact store or transforms without artifact_dir'],
    [c.aclConfig !== null && !principalAuth, 'acl_config without principal authentication'],
    [c.mcpEnabled && !principalAuth, 'mcp_enabled without principal authentication'],
  ];
}

function personalConflicts(c: Config): readonly Conflict[] {
  return [
    [c.authMode !== 'none', `auth_mode='${c.authMode}': a personal server has no sign-in`],
    [c.multiTenantEnabled, 'multi_tenant_enabled'],
    [c.requireTenantHeader, 'require_tenant_header'],
    [
      !LOCAL_HOSTS.has(c.host) && !c.allowRemoteClientsInPersonal,
      `host='${c.host}' without allow_remote_clients_in_personal: anybody who reaches it could run code`,
    ],
  ];
}
