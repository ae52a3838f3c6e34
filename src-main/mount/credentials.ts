/** Finds the credentials and options with which a mount in an object store is opened. */

import type { MountPlace } from '../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';

/** Where credentials and the values they name come from (docs/spec/notebook-file.md, 6). */
export interface CredentialSources {
  /** SVC_NOTEBOOK_CREDENTIALS: name → fields. */
  readonly named: Readonly<Record<string, unknown>> | null;
  /** SVC_NOTEBOOK_MOUNT_CREDENTIALS: scheme → name. */
  readonly byScheme: Readonly<Record<string, unknown>> | null;
  /** The notebook's environment, looked up first, then the server's. */
  readonly notebookEnv: () => Readonly<Record<string, string>>;
  readonly serverEnv: Readonly<Record<string, string | undefined>>;
}

export type StorageOptions = Readonly<Record<string, unknown>>;
export type ResolvedOptions = { readonly options: StorageOptions } | { readonly problem: string };

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  file: ['file'],
  s3: ['s3'],
  gs: ['gs', 'gcs'],
  az: ['az', 'azure'],
};

/**
 * The options for opening a mount: the credential it names, else its scheme's, overridden by the mount's own
 * options.
 */
export function storageOptionsOf(
  mount: Pick<Mount, 'credential' | 'options'>,
  place: MountPlace,
  sources: CredentialSources,
): ResolvedOptions {
  const scheme = place.kind === 'remote' ? place.scheme : 'file';
  const name = mount.credential ?? defaultOf(scheme, sources.byScheme);
  if (name === null) return { options: mount.options };
  const credential = credentialFields(name, sources);
  return 'problem' in credential ? credential : { options: { ...credential.options, ...mount.options } };
}

/** The fields of a server's credential, with every `${VAR}` replaced. */
export function credentialFields(name: string, sources: CredentialSources): ResolvedOptions {
  const fields =
    sources.named !== null && Object.hasOwn(sources.named, name) ? sources.named[name] : undefined;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    return { problem: `This server defines no credential "${name}" (SVC_NOTEBOOK_CREDENTIALS).` };
  }
  const missing = new Set<string>();
  const filled = fillReferences(fields, sources, missing) as StorageOptions; // an object stays one
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    return {
      problem: `The credential "${name}" needs ${names}, ${unsetVariablesText(missing)}`,
    };
  }
  return { options: filled };
}

/** Which variables have no value, and where to set one. */
export function unsetVariablesText(missing: ReadonlySet<string>): string {
  const [it, them] = missing.size === 1 ? ['it', 'a variable'] : ['them', 'variables'];
  return `which the notebook and the server do not set. Add ${it} as ${them} of this notebook (Environment panel, Variables: secrets stay in the session and are never written to its files), or set ${it} where the server is started.`;
}

function defaultOf(scheme: string, byScheme: CredentialSources['byScheme']): string | null {
  for (const alias of ALIASES[scheme] ?? []) {
    const name = byScheme !== null && Object.hasOwn(byScheme, alias) ? byScheme[alias] : undefined;
    if (typeof name === 'string') return name;
  }
  return null;
}

/**
 * Replaces every `${VAR}` in every string of a value. A blank value of the notebook is a placeholder for the
 * server's. @param sources with an empty server environment if the server's must not be used @param missing
 * collects the names without a value
 */
export function fillReferences(
  value: unknown,
  sources: Pick<CredentialSources, 'notebookEnv' | 'serverEnv'>,
  missing: Set<string>,
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const own = sources.notebookEnv();
      const value = (Object.hasOwn(own, name) ? own[name] : '') || sources.serverEnv[name];
      if (value === undefined) missing.add(name);
      return value ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, sources, missing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillReferences(item, sources, missing)]),
  );
}
