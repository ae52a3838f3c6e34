/** The interface of a secret manager, from which the server fetches the secrets of notebooks. */

/** The place of a notebook's values in a secret manager (docs/spec/notebook-file.md, 3.3). */
export interface SecretPlace {
  readonly projectId: string;
  readonly environment: string;
  readonly path: string;
}

/** The result of a fetch. A failure is a message for the user at the notebook, without any value in it. */
export type FetchedSecrets =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * One kind of secret manager. Its URL and its token are the server's: a notebook only names project, environment and
 * path. Never throws for failures of a network or a manager.
 */
export interface SecretProvider {
  /** The id of the manager in notebook.toml and `env_sources`. */
  readonly id: string;
  /** The URL that the server is configured for; a notebook may name this one or none. */
  readonly baseUrl: string;
  fetch(place: SecretPlace, signal: AbortSignal): Promise<FetchedSecrets>;
}

/** The values that a cell's environment can contain: other names and texts are ignored. */
export function usableValues(entries: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const usable = [...entries].filter(
    ([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && value !== '' && !value.includes('\0'),
  );
  return Object.fromEntries(usable);
}
