/** Where in a secret manager a notebook's values lie (notebook-file 3.3). */
export interface SecretPlace {
  readonly projectId: string;
  readonly environment: string;
  readonly path: string;
}

/** What a secret manager answered. A failure is in words for the person at the notebook, with no value in it. */
export type FetchedSecrets =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * The port to one kind of secret manager. Its address and its token are the server's: a notebook says only which
 * project, environment and path. Never throws for what a network or a manager can do.
 */
export interface SecretProvider {
  /** As notebook.toml and `env_sources` name it. */
  readonly id: string;
  /** The address the server is configured for; a notebook may name this one or none. */
  readonly baseUrl: string;
  fetch(place: SecretPlace, signal: AbortSignal): Promise<FetchedSecrets>;
}

/** What a cell's environment can hold: other names and texts are left where they are. */
export function usableValues(found: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const usable = [...found].filter(
    ([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && value !== '' && !value.includes('\0'),
  );
  return Object.fromEntries(usable);
}
