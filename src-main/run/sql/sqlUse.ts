/** What a SQL cell's step needs from the notebook. */

import type { CachePolicy } from '../../../src-shared/notebook/annotation.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';

/** Properties of catalogs by name, as written. */
export type Catalogs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Catalogs that a person attached in the Data panel, with their references filled in. */
export interface AttachedProperties {
  readonly catalogs: Catalogs;
  /** Those that cannot be used now, each with the reason. */
  readonly problems?: Readonly<Record<string, string>>;
}

/** What a SQL cell's step needs from the notebook, gathered by the reducer. */
export interface SqlUse {
  /** As in notebook.toml, with the values typed in the window during this session; null with a `problem`. */
  readonly connection: Connection | null;
  /** The reason if there is no connection. */
  readonly problem: string | null;
  readonly write: boolean;
  /** As written, or the default of reading and writing cells (sql). */
  readonly policy: CachePolicy;
  readonly sessionId: string;
  /** Catalogs of notebook.toml, by name: a duckdb connection may show one. */
  readonly catalogs: Catalogs;
}
