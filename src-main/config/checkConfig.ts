import { checkAcl } from './checkAcl.ts';
import { isObject } from './codec.ts';
import { ConfigError } from './configError.ts';
import { modeConflicts } from './modeConflicts.ts';
import { isOwnUrl } from './ownUrl.ts';
import { readTransformRegistry } from './transformRegistry.ts';
import type { Config } from './variables.ts';

/**
 * Refuses settings that are each valid but exclude each other, when the server starts (docs/spec/configuration.md, 6).
 * @throws ConfigError; conflicts with the deployment mode are in one message
 */
export function checkConfig(config: Config): void {
  const conflicts = modeConflicts(config);
  if (conflicts.length > 0) {
    const head = `Deployment mode coherence error: deployment_mode='${config.deploymentMode}' is incompatible with:`;
    throw new ConfigError(
      [head, ...conflicts.map((line) => `  - ${line}`)].join('\n'),
      'SVC_DEPLOYMENT_MODE',
    );
  }
  for (const check of [adaptive, teamCache, catalogs, checkAcl, blobs, credentials, transforms])
    check(config);
}

function adaptive(c: Config): void {
  const tiers = [
    ['interactive', c.interactiveSlots, c.adaptiveMinInteractive, c.adaptiveMaxInteractive],
    ['bulk', c.bulkSlots, c.adaptiveMinBulk, c.adaptiveMaxBulk],
  ] as const;
  for (const [tier, slots, min, max] of tiers) {
    const name = tier.toUpperCase();
    if (min > max) {
      throw new ConfigError(
        `SVC_ADAPTIVE_MIN_${name}: ${min} is above SVC_ADAPTIVE_MAX_${name}, which is ${max}.`,
        `SVC_ADAPTIVE_MIN_${name}`,
      );
    }
    if (c.adaptiveEnabled && (slots < min || slots > max)) {
      throw new ConfigError(
        `SVC_${name}_SLOTS: ${slots} is outside the adaptive range ${min} to ${max}.`,
        `SVC_${name}_SLOTS`,
      );
    }
  }
  if (c.adaptiveEnabled && c.multiTenantEnabled) {
    throw new ConfigError('SVC_ADAPTIVE_ENABLED cannot be combined with SVC_MULTI_TENANT_ENABLED.');
  }
}

function teamCache(c: Config): void {
  if (c.notebookTeamCacheEnabled && c.notebookRemoteStoreUrl === null) {
    throw new ConfigError('SVC_NOTEBOOK_TEAM_CACHE_ENABLED needs SVC_NOTEBOOK_REMOTE_STORE_URL.');
  }
  const url = c.notebookRemoteStoreUrl;
  if (url === null) return;
  if (isOwnUrl(new URL(url), c)) {
    throw new ConfigError(
      'SVC_NOTEBOOK_REMOTE_STORE_URL is the address of this server.',
      'SVC_NOTEBOOK_REMOTE_STORE_URL',
    );
  }
}

/** A catalog's name precedes `:` in `<name>:<namespace>.<table>`. */
const CATALOG_NAME = /^[^\s:#/]+$/;
const OBJECT_STORE = /^(s3a?|gs|gcs|az|abfss?|wasbs?):\/\//;

function catalogs(c: Config): void {
  const namedCatalogs = Object.entries(c.catalogs).map(
    ([name, properties]) => [`SVC_CATALOGS ${name}`, properties] as const,
  );
  for (const [variable, name] of [
    ['SVC_CATALOG_NAME', c.catalogName] as const,
    ...Object.keys(c.catalogs).map((name) => ['SVC_CATALOGS', name] as const),
  ]) {
    if (CATALOG_NAME.test(name)) continue;
    throw new ConfigError(
      `${variable}: ${JSON.stringify(name)} is not a valid catalog name; it must not contain spaces, \`:\`, \`#\` and \`/\`.`,
      variable,
    );
  }
  for (const [where, properties] of [
    ['SVC_CATALOG_PROPERTIES', c.catalogProperties] as const,
    ...namedCatalogs,
  ]) {
    if (!isObject(properties)) throw new ConfigError(`${where} must be an object of catalog properties.`);
    const { type = 'sql', warehouse, uri } = properties;
    if (type === 'sql' && typeof warehouse === 'string' && OBJECT_STORE.test(warehouse) && !uri) {
      throw new ConfigError(`${where}: a SQL catalog with its warehouse in object storage needs a uri.`);
    }
  }
}

function blobs(c: Config): void {
  const place = {
    local: 'here',
    s3: c.artifactS3Bucket,
    gcs: c.artifactGcsBucket,
    azure: c.artifactAzureContainer,
  }[c.artifactBlobBackend];
  if (place === null) {
    const name = { local: '', s3: 'S3_BUCKET', gcs: 'GCS_BUCKET', azure: 'AZURE_CONTAINER' }[
      c.artifactBlobBackend
    ];
    throw new ConfigError(
      `SVC_ARTIFACT_BLOB_BACKEND: \`${c.artifactBlobBackend}\` needs SVC_ARTIFACT_${name}.`,
      'SVC_ARTIFACT_BLOB_BACKEND',
    );
  }
  if (c.artifactMetadataDsn !== null && !/^postgresql:\/\//.test(c.artifactMetadataDsn)) {
    throw new ConfigError(
      'SVC_ARTIFACT_METADATA_DSN: its value is not allowed; it must start with postgresql://.',
      'SVC_ARTIFACT_METADATA_DSN',
    );
  }
}

function credentials(c: Config): void {
  for (const [name, fields] of Object.entries(c.notebookCredentials ?? {})) {
    if (!isObject(fields)) {
      throw new ConfigError(
        `SVC_NOTEBOOK_CREDENTIALS: credential ${name} must be an object.`,
        'SVC_NOTEBOOK_CREDENTIALS',
      );
    }
  }
}

/** Unread parts would otherwise be ignored silently. */
function transforms({ transformsConfig }: Config): void {
  const { enabled } = transformsConfig;
  const registry = readTransformRegistry(transformsConfig['registry']);
  const why =
    enabled !== undefined && typeof enabled !== 'boolean'
      ? 'enabled must be `true` or `false`; SVC_TRANSFORMS_ENABLED sets it in a variable of its own.'
      : 'problem' in registry
        ? registry.problem
        : null;
  if (why !== null) throw new ConfigError(`SVC_TRANSFORMS_CONFIG: ${why}`, 'SVC_TRANSFORMS_CONFIG');
}
