/** The types of a cell's parsed annotations (`# @…` lines). */

/** A `# @mount` line: a name for a file or folder. */
export interface MountAnnotation {
  readonly name: string;
  readonly uri: string;
  readonly mode: 'ro' | 'rw';
  readonly credential: string | null;
}

/** A `# @table` line: a name for a table of a catalog. */
export interface TableAnnotation {
  readonly name: string;
  readonly uri: string;
  readonly snapshotPin: number | null;
  /** The pinned snapshot as digits: ids exceed the range of numbers. */
  readonly snapshotId: string | null;
}

/** A `# @fetch` line: a name for a file to download. */
export interface FetchAnnotation {
  readonly name: string;
  readonly url: string;
  readonly sha256: string | null;
  readonly refetch: 'never' | 'stale' | 'always';
}

/** A `# @dataset` line: a name for an artifact of the store. */
export interface DatasetAnnotation {
  readonly variable: string;
  readonly name: string;
  readonly alias: string | null;
  readonly version: number | null;
}

/**
 * A loop runs only with `maxIter > 0` and a carry; otherwise the cell is an ordinary one
 * (docs/spec/analysis-and-graph.md, 3.5).
 */
export interface LoopAnnotation {
  readonly maxIter: number;
  readonly carry: string;
  readonly untilExpr: string | null;
  readonly startFromCell: string | null;
  readonly startFromIter: number | null;
}

export type CachePolicy =
  | { readonly kind: 'fingerprint' | 'forever' | 'session' | 'snapshot' }
  | { readonly kind: 'ttl'; readonly seconds: number };

/** The annotations of a prompt cell; null where the settings apply. */
export interface PromptAnnotation {
  readonly model: string | null;
  readonly system: string | null;
  readonly output: 'json' | 'text' | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly validateRetries: number | null;
}

/** All settings of a cell's directives, with defaults (docs/spec/annotations.md, 1.2, 2). */
export interface Annotations {
  readonly name: string | null;
  readonly worker: string | null;
  /** Seconds, above 0. */
  readonly timeout: number | null;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly MountAnnotation[];
  readonly tables: readonly TableAnnotation[];
  readonly fetches: readonly FetchAnnotation[];
  readonly datasets: readonly DatasetAnnotation[];
  readonly nocache: boolean;
  readonly live: boolean;
  /** Cell ids as written; they may not exist. */
  readonly after: readonly string[];
  readonly variant: { readonly group: string; readonly name: string } | null;
  /** `group` null: inferred from what the cell reads. */
  readonly perVariant: { readonly group: string | null } | null;
  readonly loop: LoopAnnotation | null;
  readonly appHide: boolean;
  /** The cell is marked as the set-up cell; whether it is the one depends on the notebook (setupCell.ts). */
  readonly setup: boolean;
  readonly sql: { readonly connection: string | null; readonly write: boolean };
  readonly cache: CachePolicy | null;
  readonly prompt: PromptAnnotation;
}
