/**
 * Lists, for each variable of the server's data plane, the test that shows its effect; checked by effectTests.test.ts.
 */

import type { VariableName } from '../../src-main/config/variables.ts';

/** A test that changes a variable and checks that the behaviour changes: its file, and a part of its name. */
export type EffectTest = readonly [file: string, name: string];

const PLANE = 'src-main/dataPlane';
const CACHE = `${PLANE}/cache/cachedScan.test.ts`;
const LIMITS = `${PLANE}/planeLimits.test.ts`;
const SETTINGS = `${PLANE}/planeSettings.test.ts`;
const STORES = `${PLANE}/storeSettings.test.ts`;
const SCANS = `${PLANE}/scans.test.ts`;
const ADMISSION = `${PLANE}/admission/admission.test.ts`;
const ADAPTIVE = `${PLANE}/admission/adaptiveSlots.test.ts`;
const QUERIES = `${PLANE}/duckdbSql/transforms.test.ts`;
const EXECUTORS = `${PLANE}/executors.test.ts`;

const REACHES: EffectTest = [SETTINGS, '%s reaches the client of its store'];
const S3: EffectTest = [SETTINGS, 'are read with the keys and the address of the settings'];
const ADAPTS: EffectTest = [ADAPTIVE, 'after ten seconds of slow scans, adaptive slots %s'];
const GROWS: EffectTest = [ADAPTIVE, 'slots for which scans wait grow to at most %s'];
const OWN_LIMIT: EffectTest = [ADMISSION, 'each client has its own limit: %s'];
const OWN_SLOTS: EffectTest = [ADMISSION, 'each tenant has its own slots: %s'];
const SMALL: EffectTest = [ADMISSION, 'a scan is interactive when it is small and names few columns'];
const TENANT: EffectTest = [ADMISSION, '%s changes the limit of a tenant'];
const SLOTS: EffectTest = [ADMISSION, 'all tenants share the slots of a tier'];
const WAITS: EffectTest = [ADMISSION, '%s is how long a build waits for a slot'];
const FOUND: EffectTest = [SETTINGS, 'a table is read by the name of its catalog'];
const CATALOG: EffectTest = [SETTINGS, 'the configured catalog has its name and uri'];
const PLAN: EffectTest = [SCANS, 'limits: files to read, bytes, and the time of a plan'];
const QUEUE: EffectTest = [QUERIES, 'queries wait for one another: %s'];
const QUERY: EffectTest = [QUERIES, 'a query over a limit fails with %s'];

/** The variables of the cache, the fetcher, resource limits, admission, catalogs, object stores and transforms. */
export const EFFECT_TESTS: Readonly<Partial<Record<VariableName, EffectTest>>> = {
  SVC_CACHE_DIR: [LIMITS, 'SVC_CACHE_DIR names the folder of cached row groups'],
  SVC_MAX_CACHE_SIZE_BYTES: [CACHE, 'above the size limit the oldest entries are removed'],
  SVC_CACHE_GRANULARITY: [CACHE, 'granularity row_group keeps all columns'],
  SVC_BATCH_SIZE: [SCANS, 'settings limit the rows of a batch'],
  SVC_FETCH_PARALLELISM: [LIMITS, 'the number of files of a scan that are fetched'],
  SVC_MAX_FETCH_WORKERS: [LIMITS, 'the number of files of a scan that are fetched'],
  SVC_FETCH_TIMEOUT_SECONDS: [SCANS, 'settings limit the rows of a batch and the time of a fetch'],
  SVC_MMAP_MIN_BYTES: [CACHE, 'an entry %s SVC_MMAP_MIN_BYTES is read batch by batch'],
  SVC_METADATA_DB: [LIMITS, 'SVC_METADATA_DB names the database of the footers'],
  SVC_MAX_CONCURRENT_SCANS: [LIMITS, 'with SVC_MAX_CONCURRENT_SCANS=%s the scans end'],
  SVC_MAX_TASKS_PER_SCAN: PLAN,
  SVC_PLAN_TIMEOUT_SECONDS: [SCANS, 'a catalog that does not answer ends the plan in time'],
  SVC_SCAN_TIMEOUT_SECONDS: [`${PLANE}/passRows.test.ts`, '%s ends them, and frees what they hold'],
  SVC_MAX_RESPONSE_BYTES: PLAN,
  SVC_MAX_UPLOAD_BYTES: ['src-main/server/uploadLimit.test.ts', 'with SVC_MAX_UPLOAD_BYTES='],
  SVC_MAX_EQUALITY_DELETE_ROWS: [SETTINGS, 'more deletes than the limit are refused'],
  SVC_STREAM_STATE_TTL_SECONDS: [SCANS, 'a stream that no client fetches in time is unknown'],
  SVC_INTERACTIVE_SLOTS: OWN_SLOTS,
  SVC_BULK_SLOTS: OWN_SLOTS,
  SVC_INTERACTIVE_QUEUE_TIMEOUT: OWN_SLOTS,
  SVC_BULK_QUEUE_TIMEOUT: OWN_SLOTS,
  SVC_INTERACTIVE_MAX_BYTES: SMALL,
  SVC_INTERACTIVE_MAX_COLUMNS: SMALL,
  SVC_PER_CLIENT_INTERACTIVE: OWN_LIMIT,
  SVC_PER_CLIENT_BULK: OWN_LIMIT,
  SVC_ADAPTIVE_ENABLED: ADAPTS,
  SVC_ADAPTIVE_INTERVAL_SECONDS: ADAPTS,
  SVC_ADAPTIVE_TARGET_P95_MS: ADAPTS,
  SVC_ADAPTIVE_HYSTERESIS: ADAPTS,
  SVC_ADAPTIVE_MIN_INTERACTIVE: ADAPTS,
  SVC_ADAPTIVE_MIN_BULK: ADAPTS,
  SVC_ADAPTIVE_MAX_INTERACTIVE: GROWS,
  SVC_ADAPTIVE_MAX_BULK: GROWS,
  SVC_CATALOG_NAME: FOUND,
  SVC_CATALOG_PROPERTIES: FOUND,
  SVC_CATALOGS: CATALOG,
  SVC_CATALOG_URI: CATALOG,
  SVC_S3_REGION: REACHES,
  SVC_S3_ENDPOINT_URL: S3,
  SVC_S3_ACCESS_KEY: S3,
  SVC_S3_SECRET_KEY: S3,
  SVC_S3_ANONYMOUS: REACHES,
  SVC_S3_CONNECT_TIMEOUT_SECONDS: REACHES,
  SVC_S3_REQUEST_TIMEOUT_SECONDS: S3,
  SVC_GCS_DEFAULT_BUCKET_LOCATION: [STORES, 'is created in SVC_GCS_DEFAULT_BUCKET_LOCATION'],
  SVC_GCS_CREDENTIALS_JSON: [STORES, 'is created in SVC_GCS_DEFAULT_BUCKET_LOCATION'],
  SVC_GCS_ENDPOINT_OVERRIDE: [STORES, 'is created in SVC_GCS_DEFAULT_BUCKET_LOCATION'],
  SVC_GCS_ANONYMOUS: REACHES,
  SVC_AZURE_ACCOUNT_NAME: [STORES, 'is not queried if a key is configured'],
  SVC_AZURE_ACCOUNT_KEY: [STORES, 'is not queried if a key is configured'],
  SVC_AZURE_ENDPOINT_URL: [STORES, 'is not queried if a key is configured'],
  SVC_AZURE_CONNECTION_STRING: REACHES,
  SVC_AZURE_SAS_TOKEN: REACHES,
  SVC_AZURE_USE_DEFAULT_CREDENTIAL: [STORES, 'opens containers with SVC_AZURE_USE_DEFAULT_CREDENTIAL'],
  SVC_TRANSFORM_MODE: [EXECUTORS, 'mode registry: DuckDB by another server'],
  SVC_TRANSFORMS_CONFIG: [EXECUTORS, 'a registry without `enabled`'],
  SVC_TRANSFORMS_ENABLED: [EXECUTORS, 'a registry that the variable turns on'],
  SVC_SIGNED_URL_EXPIRY_SECONDS: [
    'src-main/builds/builds.test.ts',
    'an address is good for SVC_SIGNED_URL_EXPIRY_SECONDS',
  ],
  SVC_TRANSFORM_SIGNING_SECRET: [
    'src-main/builds/builds.test.ts',
    'an address is valid on servers with the same SVC_TRANSFORM_SIGNING_SECRET',
  ],
  SVC_BUILD_RUNNER_MAX_CONCURRENT: QUEUE,
  SVC_BUILD_RUNNER_MAX_PER_TENANT: QUEUE,
  SVC_BUILD_RUNNER_DEFAULT_TIMEOUT: QUERY,
  SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT: QUERY,
  SVC_BUILD_QOS_INTERACTIVE_SLOTS: SLOTS,
  SVC_BUILD_QOS_BULK_SLOTS: SLOTS,
  SVC_BUILD_QOS_PER_TENANT_INTERACTIVE: TENANT,
  SVC_BUILD_QOS_PER_TENANT_BULK: TENANT,
  SVC_BUILD_QOS_INTERACTIVE_TIMEOUT: WAITS,
  SVC_BUILD_QOS_BULK_TIMEOUT: WAITS,
  SVC_BUILD_QOS_PER_TENANT_TIMEOUT: [ADMISSION, 'is how long a build waits for the turn of its tenant'],
  SVC_BUILD_QOS_BYTES_PER_DAY: [ADMISSION, 'the bytes per day are limited'],
  SVC_BUILD_QOS_BULK_BYTES_THRESHOLD: TENANT,
  SVC_BUILD_QOS_BULK_INPUTS_THRESHOLD: TENANT,
};
