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

/** Notebooks, their sessions, environments and assistants (configuration). */
export const NOTEBOOK_VARIABLES = {
  SVC_NOTEBOOK_STORAGE_DIR: variable(path, '~/.svc/notebooks', 'Folder notebooks are created and opened in.'),
  SVC_NOTEBOOK_CONSOLE_LOG_BYTES: variable(
    forgivingInteger(256 * 1024 ** 2),
    256 * 1024 ** 2,
    'Longest log kept of one stream of a run; what is printed after it is shown, not kept.',
  ),
  SVC_NOTEBOOK_PARALLEL_CELLS: variable(
    integer(1, 64),
    1,
    'How many cells of one run work at the same time where none reads another; 1: one by one.',
  ),
  SVC_NOTEBOOK_PYTHON_VERSIONS: variable(
    optional(pythonVersions),
    null,
    'Python versions offered; unset: the minors found on this machine.',
  ),
  SVC_NOTEBOOK_REMOTE_STORE_URL: variable(optional(httpUrl), null, 'Address of a shared artifact store.'),
  SVC_NOTEBOOK_REMOTE_STORE_HEADERS: variable(headers, {}, 'Headers sent to the shared store.', {
    secret: true,
  }),
  SVC_NOTEBOOK_REMOTE_STORE_FORWARD_PRINCIPAL: variable(flag, true, 'Names the caller to the shared store.'),
  SVC_NOTEBOOK_TEAM_CACHE_ENABLED: variable(flag, false, 'Asks the shared store on a local miss.'),
  SVC_NOTEBOOK_TEAM_CACHE_PUBLISH: variable(
    choice('all', 'promoted', 'off'),
    'all',
    'Which results go to the shared store.',
  ),
  SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES: variable(
    forgivingInteger(2 * GIB),
    2 * GIB,
    'Largest file of a result bundle.',
  ),
  SVC_NOTEBOOK_SESSION_TTL_SECONDS: variable(
    decimal(0, 'above'),
    14_400,
    'Seconds of quiet before a session closes.',
  ),
  SVC_NOTEBOOK_MAX_SESSIONS: variable(integer(1), 50, 'Sessions open at once.'),
  SVC_NOTEBOOK_SESSION_MIN_AVAILABLE_MB: variable(
    optional(integer(1)),
    null,
    'Free memory in MiB below which quiet sessions close.',
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
    'Address of the Infisical that notebooks fetch secrets from; a notebook may name no other.',
    { fallback: 'INFISICAL_API_URL' },
  ),
  SVC_NOTEBOOK_INFISICAL_TOKEN: variable(
    optional(text),
    null,
    'Access token of Infisical; no cell and no notebook file sees it.',
    { secret: true, fallback: 'INFISICAL_TOKEN' },
  ),
  SVC_NOTEBOOK_INFISICAL_CLIENT_ID: variable(
    optional(text),
    null,
    'Client id of a machine identity of Infisical (universal auth), where there is no token.',
    { fallback: 'INFISICAL_UNIVERSAL_AUTH_CLIENT_ID' },
  ),
  SVC_NOTEBOOK_INFISICAL_CLIENT_SECRET: variable(
    optional(text),
    null,
    'Client secret of that identity; no cell and no notebook file sees it.',
    { secret: true, fallback: 'INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET' },
  ),
  SVC_NOTEBOOK_SECRET_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    10,
    'Seconds a secret manager may take to answer; opening a notebook that has one waits for it.',
  ),
  SVC_NOTEBOOK_ENV_BACKEND: variable(
    choice('uv', 'shared'),
    'uv',
    'One environment per notebook, or shared ones.',
  ),
  SVC_NOTEBOOK_SHARED_ENV_DIR: variable(optional(path), null, 'Folder of shared environments.'),
  SVC_NOTEBOOK_SHARED_ENV_TTL_DAYS: variable(decimal(0), 7, 'Days a shared environment is kept unused.'),
  SVC_NOTEBOOK_HARNESS_ENV_ALLOWLIST: variable(
    variableNames,
    [],
    "Further environment variables a cell's process sees.",
  ),
  SVC_NOTEBOOK_HARNESS_USER: variable(optional(text), null, 'User cells of a service run as.'),
  SVC_NOTEBOOK_FETCH_ALLOWED_HOSTS: variable(
    hostList,
    [],
    'Hosts fetches may reach although they are private.',
  ),
  SVC_NOTEBOOK_CELL_LOCK_SECONDS: variable(decimal(0), 5, 'Seconds an edited cell is held for its editor.'),
  SVC_NOTEBOOK_WARM_POOL_SIZE: variable(integer(0), 2, 'Warm processes kept per session.'),
  SVC_NOTEBOOK_KEEP_SUPERSEDED_VERSIONS: variable(integer(0), 3, 'Old versions kept of each result.'),
  SVC_AI_BASE_URL: variable(optional(httpUrl), null, 'Address of the model provider.'),
  SVC_AI_MODEL: variable(optional(text), null, 'Model asked.'),
  SVC_AI_API_KEY: variable(optional(text), null, 'Key of the model provider.', { secret: true }),
  SVC_AI_MAX_OUTPUT_TOKENS: variable(integer(1), 4096, 'Longest answer, in tokens.'),
  SVC_AI_TIMEOUT_SECONDS: variable(decimal(0, 'above'), 60, 'Seconds an answer may take.'),
  SVC_UV: variable(
    optional(path),
    null,
    'The uv program; unset: the one shipped, on PATH or from its wheel.',
  ),
  SVC_RSCRIPT: variable(
    optional(path),
    null,
    'The Rscript program R cells run with; unset: the one on PATH, or where R installs itself.',
  ),
  SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS: variable(
    decimal(0, 'above'),
    5,
    'Seconds R may take to list the names in one cell; without an answer the cell has none.',
  ),
};
