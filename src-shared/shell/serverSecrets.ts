/** The environment variables with the server's own secrets, which no process that it starts may see. */

/**
 * The names of the variables: the server, the app or a worker reads them at start, and no process it starts may see
 * them (docs/spec/worker-process.md, 3). Keys of a user's own programs (AWS_*, OPENAI_*, UV_*) are not among them.
 */
const SERVER_SECRETS: readonly string[] = [
  'SVC_WORKER_TOKEN',
  'SVC_WORKER_CONNECT_TOKEN',
  'SVC_NOTEBOOK_CREDENTIALS',
  'SVC_NOTEBOOK_MOUNT_CREDENTIALS',
  'SVC_PROXY_TOKEN',
  'SVC_NOTEBOOK_REMOTE_STORE_HEADERS',
  'SVC_NOTEBOOK_INFISICAL_TOKEN',
  'SVC_NOTEBOOK_INFISICAL_CLIENT_ID',
  'SVC_NOTEBOOK_INFISICAL_CLIENT_SECRET',
  'SVC_AI_API_KEY',
  'SVC_TRANSFORM_SIGNING_SECRET',
  'SVC_ARTIFACT_METADATA_DSN',
  'SVC_S3_ACCESS_KEY',
  'SVC_S3_SECRET_KEY',
  'SVC_GCS_CREDENTIALS_JSON',
  'SVC_AZURE_ACCOUNT_KEY',
  'SVC_AZURE_CONNECTION_STRING',
  'SVC_AZURE_SAS_TOKEN',
  // Not secret as a whole, but some fields are: passwords of catalogs, tokens of workers.
  'SVC_CATALOG_URI',
  'SVC_CATALOG_PROPERTIES',
  'SVC_CATALOGS',
  'SVC_TRANSFORMS_CONFIG',
];

const NAMES: ReadonlySet<string> = new Set(SERVER_SECRETS);

/** Whether a variable is a key of the server; `NAME__FIELD` sets a field of NAME. */
export function isServerSecret(name: string): boolean {
  // Windows ignores the case of names; on other systems no other variable has such a name.
  const upper = name.toUpperCase();
  return upper.startsWith('INFISICAL_') || NAMES.has(upper.split('__', 1)[0] ?? upper);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Splits an environment into the server's keys and the rest. */
export function splitServerSecrets(env: Environment): {
  readonly rest: Record<string, string>;
  readonly secrets: Record<string, string>;
} {
  const rest: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (isServerSecret(name)) secrets[name] = value;
    else rest[name] = value;
  }
  return { rest, secrets };
}
