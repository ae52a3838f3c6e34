/** The fields of a SQL cell's step: its connection or why it has none, its cache policy, and the catalogs. */

import type { CachePolicy } from '../../../src-shared/notebook/annotation.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';

/** Properties of catalogs by name, as written. */
export type Catalogs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Catalogs that a user attached in the Data panel, with their references filled in. */
export interface AttachedProperties {
  readonly catalogs: Catalogs;
  /** The catalogs that cannot be used now, by name, each with the reason. */
  readonly problems?: Readonly<Record<string, string>>;
}

/** What a SQL cell's step needs from the notebook, gathered by the reducer. */
export type SqlUse = UsableSql | UnusableSql;

/** A cell with a connection. */
export interface UsableSql extends SqlRules {
  /** As in notebook.toml, with the values typed in the window during this session. */
  readonly connection: Connection;
}

/** A cell that cannot run. */
interface UnusableSql extends SqlRules {
  readonly connection: null;
  /** Why there is no connection, for users. */
  readonly problem: string;
}

interface SqlRules {
  readonly write: boolean;
  /** As written, or the default of reading and writing cells (docs/spec/sql.md, 2). */
  readonly policy: CachePolicy;
  readonly sessionId: string;
  /** Catalogs of notebook.toml, by name: a duckdb connection may show one. */
  readonly catalogs: Catalogs;
}
