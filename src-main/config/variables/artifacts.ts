/** Configuration variables about the artifact store, builds and worker processes. */

import { choice, commaList, decimal, flag, integer, jsonObject, optional, path, text } from '../codec.ts';
import { variable } from '../variable.ts';
import { serverUrl } from '../webCodecs.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const ARTIFACT_VARIABLES = {
  SVC_ARTIFACT_DIR: variable(
    optional(path),
    '~/.svc/artifacts',
    'Folder of named, promoted and built artifacts.',
    {
      serviceDefault: null,
    },
  ),
  SVC_ARTIFACT_ZOMBIE_BUILD_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    3600,
    'Seconds after which an abandoned build counts as failed.',
  ),
  SVC_ARTIFACT_GC_INTERVAL_SECONDS: variable(
    optional(decimal(0)),
    3600,
    'Seconds between sweeps; 0 disables them.',
    {
      serviceDefault: null,
    },
  ),
  SVC_ARTIFACT_GC_MAX_BYTES: variable(
    optional(integer(0)),
    20 * GIB,
    'Size limit, beyond which the least recently used results are deleted, down to 80 percent; 0: no limit.',
    { serviceDefault: null },
  ),
  SVC_ARTIFACT_GC_MAX_IDLE_DAYS: variable(
    decimal(0),
    30,
    'Days after which an unused result is deleted; 0: no limit.',
  ),
  SVC_ARTIFACT_GC_MIN_IDLE_SECONDS: variable(
    decimal(0),
    3600,
    'Seconds that a result is retained after its last use.',
  ),
  SVC_REGISTRY_PROTECTED_ALIASES: variable(
    commaList,
    [],
    'Aliases whose changes and deletions wait for approval.',
  ),
  SVC_ARTIFACT_BLOB_BACKEND: variable(
    choice('local', 's3', 'gcs', 'azure'),
    'local',
    'Where bytes are stored.',
  ),
  SVC_ARTIFACT_S3_BUCKET: variable(optional(text), null, 'Bucket of the s3 backend.'),
  SVC_ARTIFACT_GCS_BUCKET: variable(optional(text), null, 'Bucket of the gcs backend.'),
  SVC_ARTIFACT_AZURE_CONTAINER: variable(optional(text), null, 'Container of the azure backend.'),
  SVC_ARTIFACT_S3_PREFIX: variable(text, 'artifacts', 'Prefix in the s3 bucket.'),
  SVC_ARTIFACT_GCS_PREFIX: variable(text, 'artifacts', 'Prefix in the gcs bucket.'),
  SVC_ARTIFACT_AZURE_PREFIX: variable(text, 'artifacts', 'Prefix in the azure container.'),
  SVC_ARTIFACT_METADATA_DSN: variable(
    optional(text),
    null,
    'postgresql:// address of metadata shared by several servers; unset: SQLite in the artifact folder.',
    { secret: true },
  ),
  SVC_ARTIFACT_PRESIGNED_URLS: variable(flag, false, 'Hands out signed object-store addresses for bytes.'),
  SVC_NODE_ADVERTISED_URL: variable(
    optional(serverUrl),
    null,
    'Address of this server for servers that share its store.',
  ),
  SVC_TRANSFORM_MODE: variable(
    choice('embedded', 'registry'),
    'embedded',
    'Where transforms run: `embedded`, duckdb_sql@v1 in this process and others by the registry; `registry`, all by the registry.',
  ),
  SVC_TRANSFORMS_CONFIG: variable(jsonObject, {}, 'Transforms: enabled, registry, notebook_workers.', {
    projectKey: 'transforms',
  }),
  SVC_TRANSFORMS_ENABLED: variable(
    optional(flag),
    null,
    'Turns the registry of transforms on or off; overrides `enabled` of the transforms.',
  ),
  SVC_SIGNED_URL_EXPIRY_SECONDS: variable(integer(1), 600, 'Seconds that a signed address is valid.'),
  SVC_TRANSFORM_SIGNING_SECRET: variable(
    optional(text),
    null,
    'Secret of signed addresses; unset: random per start.',
    {
      secret: true,
    },
  ),
  SVC_BUILD_RUNNER_POLL_INTERVAL_MS: variable(integer(1), 500, 'Milliseconds between checks for new builds.'),
  SVC_BUILD_RUNNER_MAX_CONCURRENT: variable(integer(1), 10, 'Maximum concurrent builds.'),
  SVC_BUILD_RUNNER_MAX_PER_TENANT: variable(integer(1), 3, 'Maximum concurrent builds of one tenant.'),
  SVC_BUILD_RUNNER_DEFAULT_TIMEOUT: variable(decimal(0, 'above'), 300, 'Timeout of a build in seconds.'),
  SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT: variable(integer(1), GIB, 'Largest output of a build, in bytes.'),
  SVC_BUILD_QOS_INTERACTIVE_SLOTS: variable(integer(1), 16, 'Maximum concurrent small builds.'),
  SVC_BUILD_QOS_BULK_SLOTS: variable(integer(1), 8, 'Maximum concurrent large builds.'),
  SVC_BUILD_QOS_PER_TENANT_INTERACTIVE: variable(
    integer(1),
    4,
    'Maximum concurrent small builds of one tenant.',
  ),
  SVC_BUILD_QOS_PER_TENANT_BULK: variable(integer(1), 2, 'Maximum concurrent large builds of one tenant.'),
  SVC_BUILD_QOS_INTERACTIVE_TIMEOUT: variable(decimal(0), 5, 'Seconds a small build waits for a slot.'),
  SVC_BUILD_QOS_BULK_TIMEOUT: variable(decimal(0), 15, 'Seconds a large build waits for a slot.'),
  SVC_BUILD_QOS_PER_TENANT_TIMEOUT: variable(decimal(0), 1, "Seconds a build waits for its tenant's slot."),
  SVC_BUILD_QOS_BYTES_PER_DAY: variable(
    optional(integer(0)),
    null,
    'Maximum bytes that a tenant builds per day.',
  ),
  SVC_BUILD_QOS_BULK_BYTES_THRESHOLD: variable(
    integer(0),
    100 * MIB,
    'Estimated bytes beyond which a build is large.',
  ),
  SVC_BUILD_QOS_BULK_INPUTS_THRESHOLD: variable(integer(0), 5, 'Inputs beyond which a build is large.'),
  SVC_WORKER_PROVISIONING_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    600,
    'Seconds to wait for a worker to become ready for a cell.',
  ),
  SVC_WORKER_TOKEN: variable(optional(text), null, 'Token that a worker requires from its callers.', {
    secret: true,
    readBy: 'worker',
  }),
  SVC_WORKER_MAX_INPUT_BYTES: variable(integer(1), 2 * GIB, 'Largest input that a worker downloads.', {
    readBy: 'worker',
  }),
  SVC_WORKER_ALLOW_LOCAL_HOSTS: variable(flag, false, 'Lets a worker fetch from private addresses.', {
    readBy: 'worker',
  }),
};
