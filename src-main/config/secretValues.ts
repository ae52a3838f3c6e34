/** Collects the secret values of the server's own configuration, so that they can be hidden in logs and outputs. */

import { type Config, configKey, row, VARIABLE_NAMES } from './variables.ts';

/** Names of fields of an object that are secret; its other fields (a region, a URL) are not. */
const SECRET_FIELD = /key|secret|token|pass|credential|auth/i;

/** The values of the server's own secrets, with references to variables resolved. */
export function secretConfigValues(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const values = VARIABLE_NAMES.filter((name) => row(name).secret).flatMap((name) =>
    textsIn(config[configKey(name)], true),
  );
  return values
    .map((text) => text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_whole, name: string) => env[name] ?? ''))
    .filter((text) => text !== '');
}

function textsIn(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, SECRET_FIELD.test(key)));
}
