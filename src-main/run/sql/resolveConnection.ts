/** Completes the settings of a SQL connection with its credential, its catalog and the values of its variables. */

import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import {
  type CredentialSources,
  credentialFields,
  fillReferences,
  unsetVariablesText,
} from '../../mount/credentials.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { AttachedCatalog, ConnectSettings } from '../../sql/driver.ts';
import { hasCatalog } from '../../sql/readCell.ts';
import type { SqlStepOptions } from './sqlStepOptions.ts';
import type { AttachedProperties, Catalogs } from './sqlUse.ts';

export type ResolvedConnection = { readonly settings: ConnectSettings } | { readonly problem: string };

/** Where catalogs are defined. */
interface KnownCatalogs {
  readonly notebook: Catalogs;
  readonly server: Catalogs;
  readonly attached?: AttachedProperties;
}

/** The catalogs that connections may name now: those of the notebook, of the server, and those that a user attached. */
export async function knownCatalogs(
  { catalogs = {}, attachedCatalogs }: Pick<SqlStepOptions, 'catalogs' | 'attachedCatalogs'>,
  notebook: Catalogs,
): Promise<KnownCatalogs> {
  const attached = await attachedCatalogs?.();
  return { notebook, server: catalogs, ...(attached === undefined ? {} : { attached }) };
}

const COMMON = new Set(['name', 'driver', 'auth', 'options', 'credential', 'mounts']);

/**
 * A connection ready to connect with: the credential's fields overridden by the block's own `auth`, every `${VAR}`
 * looked up in the notebook's environment and then the server's (docs/spec/notebook-file.md, 3.6, 3.7). Not part of any
 * key.
 */
export function resolveConnection(
  connection: Connection,
  sources: CredentialSources,
  {
    catalogs,
    ...place
  }: {
    readonly notebookDir: NotebookFolder;
    readonly mounts: Readonly<Record<string, string>>;
    readonly catalogs: KnownCatalogs;
    /** True on a server for several people. */
    readonly confined: boolean;
  },
): ResolvedConnection {
  const { name, driver, auth, options } = connection;
  const credential = typeof connection['credential'] === 'string' ? connection['credential'] : null;
  const fields = credential === null ? { options: {} } : credentialFields(credential, sources);
  if ('problem' in fields) return fields;
  const missing = new Set<string>();
  const own = fillReferences(auth, sources, missing) as Readonly<Record<string, string>>; // strings stay strings
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    return {
      problem: `The connection "${name}" needs ${names}, ${unsetVariablesText(missing)}`,
    };
  }
  const catalog = hasCatalog(connection)
    ? catalogOf(connection, { catalogs, sources, confined: place.confined })
    : null;
  if (catalog !== null && 'problem' in catalog) return catalog;
  const entries = Object.entries({ ...fields.options, ...nonEmpty(own) });
  return {
    settings: {
      name,
      driver: driver as DriverName, // validated when the file was read
      keys: Object.fromEntries(Object.entries(connection).filter(([key]) => !COMMON.has(key))),
      auth: Object.fromEntries(
        entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
      ),
      options,
      ...place,
      catalog,
    },
  };
}

/**
 * The catalog a connection names: its credential's fields overridden by its own keys. A notebook's catalog
 * takes precedence over the server's of the same name, and both over one that a user attached; a shared
 * server accepts none from notebooks (docs/spec/notebook-file.md, 3.6, 3.7).
 */
function catalogOf(
  connection: Connection,
  {
    catalogs,
    sources,
    confined,
  }: { readonly catalogs: KnownCatalogs; readonly sources: CredentialSources; readonly confined: boolean },
): AttachedCatalog | { readonly problem: string } {
  const name = String(connection['catalog']);
  const catalogTables = [...(confined ? [] : [catalogs.notebook]), catalogs.server];
  const written = catalogTables.find((one) => Object.hasOwn(one, name))?.[name];
  if (written === undefined) {
    const { catalogs: ready = {}, problems = {} } = (confined ? null : catalogs.attached) ?? {};
    const properties = Object.hasOwn(ready, name) ? ready[name] : undefined;
    if (properties !== undefined && Object.keys(properties).length > 0) return { name, properties };
    const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
    if (problem !== undefined) return { problem };
    const reason = confined
      ? 'which this server does not define. A shared server ignores catalogs of notebooks.'
      : 'which is not defined in notebook.toml or on the server, and is not attached in the Data panel.';
    return { problem: `The connection "${connection.name}" names the catalog "${name}", ${reason}` };
  }
  const { credential, ...own } = written;
  const fields = typeof credential === 'string' ? credentialFields(credential, sources) : { options: {} };
  if ('problem' in fields) return fields;
  const missing = new Set<string>();
  const filled = fillReferences(own, sources, missing) as Readonly<Record<string, unknown>>; // an object stays one
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    return {
      problem: `The catalog "${name}" needs ${names}, ${unsetVariablesText(missing)}`,
    };
  }
  return { name, properties: { ...fields.options, ...filled } };
}

/** A blank in the file marks a secret that was typed and not stored: it is ignored. */
function nonEmpty(auth: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(auth).filter(([, value]) => value !== ''));
}
