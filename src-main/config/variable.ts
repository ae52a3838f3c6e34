import type { Codec } from './codec.ts';

/**
 * One row of the table of configuration variables (variables.ts): how a variable is read, its default and its meaning.
 */
export interface Variable<T> {
  readonly codec: Codec<T>;
  readonly default: T;
  /** One sentence for the reference. */
  readonly meaning: string;
  /** The default of service mode, if it differs. */
  readonly serviceDefault?: T;
  /** Never shown in errors or logs. */
  readonly secret?: true;
  /** The environment variable to read if ours is unset. */
  readonly fallback?: string;
  /** A second key of `[tool.svc]` that sets it. */
  readonly projectKey?: string;
  /** Read by worker processes; the server only validates it. */
  readonly readBy?: 'worker';
}

type Extras<T> = Omit<Variable<T>, 'codec' | 'default' | 'meaning'>;

/** Makes a row of the table of configuration variables. */
export function variable<T>(
  codec: Codec<T>,
  defaultValue: NoInfer<T>,
  meaning: string,
  extras: Extras<NoInfer<T>> = {},
): Variable<T> {
  return { codec, default: defaultValue, meaning, ...extras };
}
