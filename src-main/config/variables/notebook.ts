/** Configuration variables of notebooks: their sessions, environments and AI. Part of the table of all variables. */

import {
  choice,
  decimal,
  flag,
  forgivingInteger,
  integer,
  jsonObject,
  optional,
  path,
  pythonVersions,
  text,
} from '../codec.ts';
import { variable } from '../variable.ts';
import { credentialByScheme, headers, hostList, httpUrl, variableNames } from '../webCodecs.ts';

const GIB = 1024 ** 3;

export const NOTEBOOK_VARIABLES = {
  SVC_NOTEBOOK_STORAGE_DIR: variable(
    path,
    '~/.svc/notebooks',
    'Folder in which notebooks are created and opened.',
  ),
  SVC_NOTEBOOK_CONSOLE_LOG_BYTES: variable(
    forgivingInteger(256 * 1024 ** 2),
    256 * 1024 ** 2,
    'Maximum size of the stored log of one stream of a run; later output is shown but not stored.',
  ),
  SVC_NOTEBOOK_PARALLEL_CELLS: variable(
    integer(1, 64),
    1,
    'Maximum number of independent cells of one run that run in parallel; 1: one at a time.',
  ),
  SVC_NOTEBOOK_PYTHON_VERSIONS: variable(
    optional(pythonVersions),
    null,
    'Offered Python versions; unset: the minor versions installed on this machine.',
  ),
  SVC_NOTEBOOK_REMOTE_STORE_URL: variable(optional(httpUrl), null, 'Address of a shared artifact store.'),
  SVC_NOTEBOOK_REMOTE_STORE_HEADERS: variable(headers, {}, 'Headers sent to the shared store.', {
    secret: true,
  }),
  SVC_NOTEBOOK_REMOTE_STORE_FORWARD_PRINCIPAL: variable(
    flag,
    true,
    'Sends the caller’s name to the shared store.',
  ),
  SVC_NOTEBOOK_TEAM_CACHE_ENABLED: variable(
    flag,
    false,
    'Looks up results in the shared store on a local miss.',
  ),
  SVC_NOTEBOOK_TEAM_CACHE_PUBLISH: variable(
    choice('all', 'promoted', 'off'),
    'all',
    'Which results go to the shared store.',
  ),
  SVC_NOTEBOOK_TEAM_CACHE_LOOKUP_MS: variable(
    integer(1),
    300,
    'Timeout for looking up a cell’s result in the shared store, in milliseconds.',
  ),
  SVC_NOTEBOOK_REMOTE_STORE_TRUSTED: variable(
    flag,
    false,
    'Also uses results that run code when they are read, such as pickles. Set it only if everyone who can write to the shared store may run code here.',
  ),
  SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES: variable(
    forgivingInteger(2 * GIB),
    2 * GIB,
    'Largest file of a result bundle.',
  ),
  SVC_NOTEBOOK_SESSION_TTL_SECONDS: variable(
    decimal(0, 'above'),
    14_400,
    'Seconds without activity before a session closes.',
  ),
  SVC_NOTEBOOK_MAX_SESSIONS: variable(integer(1), 50, 'Maximum number of open sessions.'),
  SVC_NOTEBOOK_SESSION_MIN_AVAILABLE_MB: variable(
    optional(integer(1)),
    null,
    'Free memory in MiB below which inactive sessions close.',
  ),
  SVC_NOTEBOOK_CREDENTIALS: variable(optional(jsonObject), null, 'Named credentials: name to fields.', {
    secret: true,
  }),
  SVC_NOTEBOOK_MOUNT_CREDENTIALS: variable(
    optional(credentialByScheme),
    null,
    'Credential per mount scheme.',
  ),
  SVC_NOTEBOOK_INFISICAL_URL: variable(
    httpUrl,
    'https://app.infisical.com',
    'Address of the Infisical server that notebooks fetch secrets from; notebooks cannot use another.',
    { fallback: 'INFISICAL_API_URL' },
  ),
  SVC_NOTEBOOK_INFISICAL_TOKEN: variable(
    optional(text),
    null,
    'Access token of Infisical; not visible to cells and notebook files.',
    { secret: true, fallback: 'INFISICAL_TOKEN' },
  ),
  SVC_NOTEBOOK_INFISICAL_CLIENT_ID: variable(
    optional(text),
    null,
    'Client id of a machine identity of Infisical (universal auth), used without an access token.',
    { fallback: 'INFISICAL_UNIVERSAL_AUTH_CLIENT_ID' },
  ),
  SVC_NOTEBOOK_INFISICAL_CLIENT_SECRET: variable(
    optional(text),
    null,
    'Client secret of that identity; not visible to cells and notebook files.',
    { secret: true, fallback: 'INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET' },
  ),
  SVC_NOTEBOOK_SECRET_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    10,
    'Timeout of a secret manager in seconds; opening a notebook with one waits for it.',
  ),
  SVC_NOTEBOOK_ENV_BACKEND: variable(
    choice('uv', 'shared'),
    'uv',
    'One environment per notebook, or shared ones.',
  ),
  SVC_NOTEBOOK_SHARED_ENV_DIR: variable(optional(path), null, 'Folder of shared environments.'),
  SVC_NOTEBOOK_SHARED_ENV_TTL_DAYS: variable(
    decimal(0),
    7,
    'Days after which an unused shared environment is deleted.',
  ),
  SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: variable(
    variableNames,
    [],
    "Further environment variables a cell's process sees.",
  ),
  SVC_NOTEBOOK_HARNESS_USER: variable(optional(text), null, 'User that runs the cells of a service.'),
  SVC_NOTEBOOK_FETCH_ALLOWED_HOSTS: variable(hostList, [], 'Private hosts that fetches may contact.'),
  SVC_NOTEBOOK_CELL_LOCK_SECONDS: variable(
    decimal(0),
    5,
    'Seconds that an edited cell is locked for its editor.',
  ),
  SVC_NOTEBOOK_WARM_POOL_SIZE: variable(integer(0), 2, 'Warm processes per session.'),
  SVC_NOTEBOOK_KEEP_SUPERSEDED_VERSIONS: variable(integer(0), 3, 'Old versions stored of each result.'),
  SVC_AI_BASE_URL: variable(optional(httpUrl), null, 'Address of the model provider.'),
  SVC_AI_MODEL: variable(optional(text), null, 'Name of the model.'),
  SVC_AI_API_KEY: variable(optional(text), null, 'Key of the model provider.', { secret: true }),
  SVC_AI_MAX_OUTPUT_TOKENS: variable(integer(1), 4096, 'Maximum length of an answer in tokens.'),
  SVC_AI_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 60, 'Timeout of an answer in seconds.'),
  SVC_AI_MAX_CONTEXT_TOKENS: variable(
    integer(1),
    100_000,
    'Maximum tokens that the assistant sends; the notebook’s cells get a quarter of them.',
  ),
  SVC_AI_APPROVAL_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    120,
    'Seconds that the assistant waits for a confirmation; without one, the answer is no.',
  ),
  SVC_UV: variable(
    optional(path),
    null,
    'Path of the uv program; unset: the shipped one, on PATH or from its wheel.',
  ),
  SVC_NOTEBOOK_REMOTE_STATUS_SECONDS: variable(
    decimal(0, 'above'),
    60,
    'Minimum time between two requests to a catalog or registry to see whether its data changed, in seconds.',
  ),
  SVC_RSCRIPT: variable(
    optional(path),
    null,
    'Path of the Rscript program for R cells; unset: the one on PATH, or in R’s default location.',
  ),
  SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    5,
    'Timeout for R to list the names in one cell, in seconds; without an answer the cell has none.',
  ),
};
