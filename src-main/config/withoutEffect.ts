/** The configuration variables that the server reads but does not use; a test keeps the list true. */

import { findProjectFile } from './projectFile.ts';
import { row, VARIABLE_NAMES, type VariableName } from './variables.ts';

/**
 * Variables of the specification without an implementation yet: they are read and validated only. Remove a
 * variable from this list when it takes effect; a test looks for code that reads it.
 */
export const WITHOUT_EFFECT: readonly VariableName[] = [
  'SVC_PUBLIC_BASE_URL',
  'SVC_AUTH_MODE',
  'SVC_PROXY_TOKEN',
  'SVC_PROXY_TOKEN_HEADER',
  'SVC_SCOPES_HEADER',
  'SVC_HIDE_FORBIDDEN_AS_NOT_FOUND',
  'SVC_SERVICE_WRITES_ENABLED',
  'SVC_ACL_CONFIG',
  'SVC_MULTI_TENANT_ENABLED',
  'SVC_TENANT_HEADER',
  'SVC_REQUIRE_TENANT_HEADER',
  'SVC_METRICS_ENABLED',
  'SVC_NOTEBOOK_ENV_BACKEND',
  'SVC_NOTEBOOK_SHARED_ENV_DIR',
  'SVC_NOTEBOOK_SHARED_ENV_TTL_DAYS',
  'SVC_NOTEBOOK_HARNESS_USER',
  'SVC_NOTEBOOK_KEEP_SUPERSEDED_VERSIONS',
  'SVC_ARTIFACT_METADATA_DSN',
];

/** Variables of the specification that tune a mechanism which this program does not have, with the reason. */
export const NOTHING_TO_SET: Readonly<Partial<Record<VariableName, string>>> = {
  SVC_ARROW_MEMORY_POOL:
    'Arrow data is in the memory of the JavaScript engine, which has no choice of allocators',
  SVC_BUILD_RUNNER_POLL_INTERVAL_MS: 'a build starts as soon as it has a turn, and nothing polls for it',
  SVC_FAST_CONCAT: 'Arrow batches are written one after the other and never joined',
};

/** A warning for each of them that is set, in the environment or the project file. */
export function warnWithoutEffect(sources: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): readonly string[] {
  const settings = findProjectFile(sources.cwd)?.settings ?? {};
  const unused = VARIABLE_NAMES.filter((name) => WITHOUT_EFFECT.includes(name) || name in NOTHING_TO_SET);
  return unused.flatMap((name) => {
    const key = name.slice('SVC_'.length).toLowerCase();
    const projectKeys = [key, row(name).projectKey ?? key];
    const isSet =
      sources.env[name] !== undefined ||
      Object.keys(sources.env).some((other) => other.startsWith(`${name}__`)) ||
      projectKeys.some((one) => Object.hasOwn(settings, one));
    if (!isSet) return [];
    const reason = NOTHING_TO_SET[name];
    return reason === undefined
      ? [`${name} is set, but has no effect yet: this version of Cellar does not use it.`]
      : [`${name} is set, but has no effect: ${reason}.`];
  });
}
