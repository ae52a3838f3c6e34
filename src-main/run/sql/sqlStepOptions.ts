import type { CredentialSources } from '../../mount/credentials.ts';
import type { SqlThreads } from '../../sql/sqlThreads.ts';
import type { AttachedProperties, Catalogs } from './sqlUse.ts';

/** What the steps of SQL cells need from the program: worker threads, credentials, catalogs and limits. */
export interface SqlStepOptions {
  readonly threads: SqlThreads;
  readonly credentials: Omit<CredentialSources, 'notebookEnv' | 'byScheme'>;
  readonly now?: () => number;
  /** The server's catalogs; a notebook's catalog of the same name takes precedence. */
  readonly catalogs?: Catalogs;
  /** Catalogs that a user attached, as of the run; those of the notebook and the server take precedence. */
  readonly attachedCatalogs?: () => Promise<AttachedProperties>;
  /** The release of the engine: results are shared among servers with the same one. */
  readonly engine?: string;
  /** Whether the server is for several people and gives no access to its own files (docs/spec/sql.md, 3). */
  readonly confined?: boolean;
}
