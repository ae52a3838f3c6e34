import { choice, decimal, flag, integer, jsonObject, optional, path, text } from '../codec.ts';
import { variable } from '../variable.ts';
import { endpoint, httpUrl } from '../webCodecs.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Scans, their cache and admission, catalogs and object stores (configuration 4). */
export const DATA_VARIABLES = {
  SVC_CACHE_DIR: variable(path, '~/.svc/cache', 'Folder of the row-group cache.'),
  SVC_MAX_CACHE_SIZE_BYTES: variable(integer(1), 10 * GIB, 'Size the row-group cache is kept under.'),
  SVC_CACHE_GRANULARITY: variable(
    choice('row_group_projection', 'row_group'),
    'row_group_projection',
    'What one cache entry holds: the columns asked for, or all.',
  ),
  SVC_BATCH_SIZE: variable(integer(1), 65_536, 'Rows per Arrow batch.'),
  SVC_FETCH_PARALLELISM: variable(integer(1), 4, 'Row groups one scan fetches at a time.'),
  SVC_MAX_FETCH_WORKERS: variable(integer(1), 32, 'Row groups all scans fetch at a time.'),
  SVC_FETCH_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 60, 'Seconds a fetch may take.'),
  SVC_FAST_CONCAT: variable(
    optional(choice('native', 'pyarrow')),
    null,
    'How batches are joined; unset: the best there is.',
  ),
  SVC_MMAP_MIN_BYTES: variable(integer(0), 4 * MIB, 'Files from this size on are mapped instead of read.'),
  SVC_MAX_CONCURRENT_SCANS: variable(integer(1), 100, 'Scans under way at once.'),
  SVC_MAX_TASKS_PER_SCAN: variable(integer(1), 1000, 'Row groups one scan may read.'),
  SVC_PLAN_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 30, 'Seconds planning a scan may take.'),
  SVC_SCAN_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 300, 'Seconds a scan may take.'),
  SVC_MAX_RESPONSE_BYTES: variable(integer(1), 512 * MIB, 'Largest scan answered; 413 beyond.'),
  SVC_MAX_UPLOAD_BYTES: variable(integer(1), 10 * GIB, 'Largest request body; 413 beyond.'),
  SVC_MAX_EQUALITY_DELETE_ROWS: variable(
    integer(0),
    10_000_000,
    'Pending equality deletes a scan may apply.',
  ),
  SVC_STREAM_STATE_TTL_SECONDS: variable(decimal(0, 'above'), 300, 'Seconds a stream may be fetched again.'),
  SVC_INTERACTIVE_SLOTS: variable(integer(1), 32, 'Small scans under way at once.'),
  SVC_BULK_SLOTS: variable(integer(1), 8, 'Large scans under way at once.'),
  SVC_INTERACTIVE_MAX_BYTES: variable(integer(0), 10 * MIB, 'Largest scan that counts as small.'),
  SVC_INTERACTIVE_MAX_COLUMNS: variable(integer(0), 10, 'Most columns of a scan that counts as small.'),
  SVC_INTERACTIVE_QUEUE_TIMEOUT: variable(
    decimal(0),
    10,
    'Seconds a small scan waits for a slot; 429 beyond.',
  ),
  SVC_BULK_QUEUE_TIMEOUT: variable(decimal(0), 30, 'Seconds a large scan waits for a slot; 429 beyond.'),
  SVC_PER_CLIENT_INTERACTIVE: variable(integer(0), 2, 'Small scans of one client at once; 0: no limit.'),
  SVC_PER_CLIENT_BULK: variable(integer(0), 1, 'Large scans of one client at once; 0: no limit.'),
  SVC_ADAPTIVE_ENABLED: variable(flag, false, 'Moves the slot counts with the load.'),
  SVC_ADAPTIVE_INTERVAL_SECONDS: variable(decimal(0, 'above'), 5, 'Seconds between adjustments.'),
  SVC_ADAPTIVE_TARGET_P95_MS: variable(decimal(0, 'above'), 500, 'Milliseconds of slot time aimed at.'),
  SVC_ADAPTIVE_MIN_INTERACTIVE: variable(integer(1), 4, 'Fewest slots for small scans.'),
  SVC_ADAPTIVE_MAX_INTERACTIVE: variable(integer(1), 64, 'Most slots for small scans.'),
  SVC_ADAPTIVE_MIN_BULK: variable(integer(1), 2, 'Fewest slots for large scans.'),
  SVC_ADAPTIVE_MAX_BULK: variable(integer(1), 32, 'Most slots for large scans.'),
  SVC_ADAPTIVE_HYSTERESIS: variable(integer(1), 3, 'Signals in a row before slots change.'),
  SVC_METADATA_DB: variable(path, '~/.svc/meta.sqlite', 'Database of scan metadata.'),
  SVC_CATALOG_NAME: variable(text, 'default', 'Name of the configured catalog.'),
  SVC_CATALOG_PROPERTIES: variable(jsonObject, {}, 'Properties of the configured catalog.'),
  SVC_CATALOGS: variable(jsonObject, {}, 'Further catalogs: name to properties.'),
  SVC_CATALOG_URI: variable(optional(text), null, 'Uri of the configured catalog; joins its properties.'),
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
  SVC_S3_REQUEST_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 30, 'Seconds an S3 request may take.'),
  SVC_GCS_DEFAULT_BUCKET_LOCATION: variable(optional(text), null, 'Default location of GCS buckets.'),
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
  SVC_AZURE_USE_DEFAULT_CREDENTIAL: variable(flag, false, 'Uses the machine identity on Azure.'),
  SVC_AZURE_ENDPOINT_URL: variable(optional(httpUrl), null, 'Address of an Azure-compatible store.'),
};
