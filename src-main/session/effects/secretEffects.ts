/** Fetches a notebook's variables from its secret manager for the session. */

import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import type { SecretManagers } from '../../secrets/secretManagers.ts';
import type { SessionFact } from '../state/events.ts';
import { NO_SECRET_FETCH, type SecretFetch } from '../state/state.ts';

type SecretsFetched = Extract<SessionFact, { readonly type: 'secrets_fetched' }>;

/** The fetches of one open notebook, one after another. */
export interface SecretEffects {
  /**
   * Fetches from the manager the notebook now names and fills the notebook's variables; without a manager
   * they are as in the file.
   */
  fetch(before: SecretFetch): Promise<SecretFetch>;
  /** Fetches, and returns the fact for the session, which also replies to a request. */
  fact(before: SecretFetch, ticket: number | null): Promise<SecretsFetched>;
  /** Stops the running fetch; later ones end at once. */
  close(): void;
}

/** @param now milliseconds since the epoch */
export function createSecretEffects(
  files: NotebookFiles,
  { managers, now }: { readonly managers: SecretManagers; readonly now: () => number },
): SecretEffects {
  const stopping = new AbortController();
  const inTurn = createSerialRunner();
  /** The configuration that the current values were fetched for. */
  let filledFor: string | null = null;

  async function fetchNow(before: SecretFetch): Promise<SecretFetch> {
    const config = files.file().secretManager;
    const place = config === null ? null : JSON.stringify(config);
    // Values of another project must not remain in use for this one.
    if (place !== filledFor) await files.fill(null);
    if (config === null) {
      filledFor = null;
      return NO_SECRET_FETCH;
    }
    const result = await managers.fetch(config, stopping.signal);
    if (result.kind === 'problem') {
      const fetchedAt = place === filledFor ? before.fetchedAt : null;
      if (place !== filledFor) filledFor = null;
      return { error: result.problem, fetchedAt };
    }
    await files.fill({ from: result.provider, values: result.values });
    filledFor = place;
    return { error: null, fetchedAt: new Date(now()).toISOString() };
  }

  function fetch(before: SecretFetch): Promise<SecretFetch> {
    return inTurn(() => fetchNow(before));
  }

  return {
    fetch,
    async fact(before, ticket) {
      const result = await fetch(before);
      return { type: 'secrets_fetched', ticket, file: files.file(), fetch: result };
    },
    close: () => stopping.abort(),
  };
}
