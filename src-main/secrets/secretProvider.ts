/** The place of a notebook's values in a secret manager (notebook-file 3.3). */
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
 * The port to one kind of secret manager. Its address and its token are the server's: a notebook only names
 * project, environment and path. Never throws for failures of a network or a manager.
 */
export interface SecretProvider {
  /** As in notebook.toml and `env_sources`. */
  readonly id: string;
  /** The address the server is configured for; a notebook may name this one or none. */
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
