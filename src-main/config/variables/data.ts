/** Configuration variables about scans, their cache, catalogs and object stores. */

import { choice, decimal, flag, integer, jsonObject, optional, path, text } from '../codec.ts';
import { variable } from '../variable.ts';
import { endpoint, httpUrl } from '../webCodecs.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const DATA_VARIABLES = {
  SVC_CACHE_DIR: variable(path, '~/.svc/cache', 'Folder of the row-group cache.'),
  SVC_MAX_CACHE_SIZE_BYTES: variable(integer(1), 10 * GIB, 'Maximum size of the row-group cache.'),
  SVC_CACHE_GRANULARITY: variable(
    choice('row_group_projection', 'row_group'),
    'row_group_projection',
    'Content of a cache entry: the requested columns, or all.',
  ),
  SVC_BATCH_SIZE: variable(integer(1), 65_536, 'Rows per Arrow batch.'),
  SVC_FETCH_PARALLELISM: variable(integer(1), 4, 'Row groups that one scan fetches concurrently.'),
  SVC_MAX_FETCH_WORKERS: variable(integer(1), 32, 'Row groups that all scans together fetch concurrently.'),
  SVC_FETCH_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 60, 'Timeout of a fetch in seconds.'),
  SVC_FAST_CONCAT: variable(
    optional(choice('native', 'pyarrow')),
    null,
    'How batches are joined; unset: the fastest available method.',
  ),
  SVC_MMAP_MIN_BYTES: variable(
    integer(0),
    4 * MIB,
    'Minimum size of cache entries that are read batch by batch instead of at once. Entries that are sent as they are stored are read in pieces of 1 MiB.',
  ),
  SVC_MAX_CONCURRENT_SCANS: variable(integer(1), 100, 'Maximum concurrent scans.'),
  SVC_MAX_TASKS_PER_SCAN: variable(integer(1), 1000, 'Maximum row groups of one scan.'),
  SVC_PLAN_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 30, 'Timeout for planning a scan, in seconds.'),
  SVC_SCAN_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 300, 'Timeout of a scan in seconds.'),
  SVC_MAX_RESPONSE_BYTES: variable(
    integer(1),
    512 * MIB,
    'Largest result of a scan; larger ones are refused with 413.',
  ),
  SVC_MAX_UPLOAD_BYTES: variable(
    integer(1),
    10 * GIB,
    'Largest request body; larger ones are refused with 413.',
  ),
  SVC_MAX_EQUALITY_DELETE_ROWS: variable(
    integer(0),
    10_000_000,
    'Maximum pending equality deletes that a scan applies.',
  ),
  SVC_STREAM_STATE_TTL_SECONDS: variable(
    decimal(0, 'above'),
    300,
    'Seconds during which a stream can be downloaded again.',
  ),
  SVC_INTERACTIVE_SLOTS: variable(integer(1), 32, 'Maximum concurrent small scans.'),
  SVC_BULK_SLOTS: variable(integer(1), 8, 'Maximum concurrent large scans.'),
  SVC_INTERACTIVE_MAX_BYTES: variable(integer(0), 10 * MIB, 'Largest scan that counts as small.'),
  SVC_INTERACTIVE_MAX_COLUMNS: variable(integer(0), 10, 'Maximum columns of a scan that counts as small.'),
  SVC_INTERACTIVE_QUEUE_TIMEOUT: variable(
    decimal(0),
    10,
    'Seconds that a small scan waits for a slot before it is refused with 429.',
  ),
  SVC_BULK_QUEUE_TIMEOUT: variable(
    decimal(0),
    30,
    'Seconds that a large scan waits for a slot before it is refused with 429.',
  ),
  SVC_PER_CLIENT_INTERACTIVE: variable(
    integer(0),
    2,
    'Maximum concurrent small scans of one client; 0: no limit.',
  ),
  SVC_PER_CLIENT_BULK: variable(integer(0), 1, 'Maximum concurrent large scans of one client; 0: no limit.'),
  SVC_ADAPTIVE_ENABLED: variable(flag, false, 'Adapts the slot counts to the load.'),
  SVC_ADAPTIVE_INTERVAL_SECONDS: variable(decimal(0, 'above'), 5, 'Seconds between adjustments.'),
  SVC_ADAPTIVE_TARGET_P95_MS: variable(
    decimal(0, 'above'),
    500,
    'Target 95th percentile of slot time, in milliseconds.',
  ),
  SVC_ADAPTIVE_MIN_INTERACTIVE: variable(integer(1), 4, 'Minimum slots for small scans.'),
  SVC_ADAPTIVE_MAX_INTERACTIVE: variable(integer(1), 64, 'Maximum slots for small scans.'),
  SVC_ADAPTIVE_MIN_BULK: variable(integer(1), 2, 'Minimum slots for large scans.'),
  SVC_ADAPTIVE_MAX_BULK: variable(integer(1), 32, 'Maximum slots for large scans.'),
  SVC_ADAPTIVE_HYSTERESIS: variable(integer(1), 3, 'Consecutive signals before the slot counts change.'),
  SVC_METADATA_DB: variable(path, '~/.svc/meta.sqlite', 'Database of scan metadata.'),
  SVC_CATALOG_NAME: variable(text, 'default', 'Name of the configured catalog.'),
  SVC_CATALOG_PROPERTIES: variable(jsonObject, {}, 'Properties of the configured catalog.'),
  SVC_CATALOGS: variable(jsonObject, {}, 'Further catalogs: name to properties.'),
  SVC_CATALOG_URI: variable(optional(text), null, 'URI of the configured catalog, added to its properties.'),
  SVC_S3_REGION: variable(optional(text), null, 'Region of S3.', { fallback: 'AWS_REGION' }),
  SVC_S3_ENDPOINT_URL: variable(optional(httpUrl), null, 'Address of an S3-compatible store.'),
  SVC_S3_ACCESS_KEY: variable(optional(text), null, 'Access key of S3.', {
    secret: true,
    fallback: 'AWS_ACCESS_KEY_ID',
  }),
  SVC_S3_SECRET_KEY: variable(optional(text), null, 'Secret key of S3.', {
    secret: true,
    fallback: 'AWS_SECRET_ACCESS_KEY',
  }),
  SVC_S3_ANONYMOUS: variable(flag, false, 'Reads S3 without credentials.'),
  SVC_S3_CONNECT_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 10, 'Seconds to connect to S3.'),
  SVC_S3_REQUEST_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 30, 'Timeout of an S3 request in seconds.'),
  SVC_GCS_DEFAULT_BUCKET_LOCATION: variable(
    optional(text),
    null,
    'Where a missing GCS bucket is created by the first write to it; unset: it is an error.',
  ),
  SVC_GCS_CREDENTIALS_JSON: variable(
    optional(text),
    null,
    'Credentials of GCS: JSON, or the path of a file.',
    {
      secret: true,
      fallback: 'GOOGLE_APPLICATION_CREDENTIALS',
    },
  ),
  SVC_GCS_ANONYMOUS: variable(flag, false, 'Reads GCS without credentials.'),
  SVC_GCS_ENDPOINT_OVERRIDE: variable(optional(endpoint), null, 'Address of a GCS-compatible store.'),
  SVC_AZURE_ACCOUNT_NAME: variable(optional(text), null, 'Storage account of Azure.'),
  SVC_AZURE_ACCOUNT_KEY: variable(optional(text), null, 'Key of the storage account.', { secret: true }),
  SVC_AZURE_CONNECTION_STRING: variable(optional(text), null, 'Connection string of Azure.', {
    secret: true,
  }),
  SVC_AZURE_SAS_TOKEN: variable(optional(text), null, 'SAS token of Azure.', { secret: true }),
  SVC_AZURE_USE_DEFAULT_CREDENTIAL: variable(
    flag,
    false,
    'Uses the identity of the machine on Azure where no key or token is set.',
  ),
  SVC_AZURE_ENDPOINT_URL: variable(optional(httpUrl), null, 'Address of an Azure-compatible store.'),
};
