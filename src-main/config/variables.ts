/** The table of all configuration variables, and the type of the configuration. */

import type { Variable } from './variable.ts';
import { ARTIFACT_VARIABLES } from './variables/artifacts.ts';
import { DATA_VARIABLES } from './variables/data.ts';
import { NOTEBOOK_VARIABLES } from './variables/notebook.ts';
import { SERVER_VARIABLES } from './variables/server.ts';

/** Every configuration variable of the program: the one table that loading, checks and docs derive from. */
const VARIABLES = {
  ...SERVER_VARIABLES,
  ...NOTEBOOK_VARIABLES,
  ...ARTIFACT_VARIABLES,
  ...DATA_VARIABLES,
} as const;

export type VariableName = keyof typeof VARIABLES;
export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[]; // keys of a literal

type CamelTail<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Lowercase<Head>>}${CamelTail<Tail>}`
  : Capitalize<Lowercase<S>>;
/** `SVC_CACHE_DIR` → `cacheDir`. */
type ConfigKey<S extends string> = S extends `SVC_${infer Rest}` ? Uncapitalize<CamelTail<Rest>> : never;

/** The server's configuration, complete and validated; one readonly record for the whole process. */
export type Config = {
  readonly [N in VariableName as ConfigKey<N>]: (typeof VARIABLES)[N] extends Variable<infer T> ? T : never;
};

export function configKey(name: VariableName): keyof Config {
  const [head = '', ...tail] = name.slice('SVC_'.length).toLowerCase().split('_');
  const key = head + tail.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return key as keyof Config; // the same rule as ConfigKey, which a test compares
}

/** A row without its type, for code that iterates over the table. */
export function row(name: VariableName): Variable<unknown> {
  return VARIABLES[name] as unknown as Variable<unknown>; // parse and print of one row always meet
}
