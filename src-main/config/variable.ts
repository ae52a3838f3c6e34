import type { Codec } from './codec.ts';

/** One row of the configuration table. */
export interface Variable<T> {
  readonly codec: Codec<T>;
  readonly default: T;
  /** One sentence for the reference. */
  readonly meaning: string;
  /** Where service mode starts from another value. */
  readonly serviceDefault?: T;
  /** Never shown in an error or a log. */
  readonly secret?: true;
  /** Read from this environment variable where ours is unset. */
  readonly fallback?: string;
  /** A second key of `[tool.svc]` that sets it. */
  readonly projectKey?: string;
  /** Worker processes read it; the server only checks it. */
  readonly readBy?: 'worker';
}

type Extras<T> = Omit<Variable<T>, 'codec' | 'default' | 'meaning'>;

/** A row, short enough that the table stays a table. */
export function variable<T>(
  codec: Codec<T>,
  defaultValue: NoInfer<T>,
  meaning: string,
  extras: Extras<NoInfer<T>> = {},
): Variable<T> {
  return { codec, default: defaultValue, meaning, ...extras };
}
