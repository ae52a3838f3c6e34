/** Requests that read and change the notebook's environment variables and its secret manager. */

import type { EnvAnswer } from '../../src-shared/wire/routes/secrets.ts';
import { applyOwnEnv } from '../state/applyOwn.ts';
import type { NotebookStore } from '../state/notebookStore.ts';
import { callRoute } from './rest.ts';

/** Where a notebook's secrets are; an empty string means the default. */
export interface SecretPlace {
  readonly project_id: string;
  readonly environment: string;
  readonly path: string;
  readonly base_url: string;
}

/** The notebook's environment variables and their sources. Only the window that changes settings receives them. */
export interface Variables {
  /** Replaces all variables; a masked value stays unchanged. @throws RestError as every method */
  readonly set: (env: Readonly<Record<string, string>>) => Promise<EnvAnswer>;
  /** Sets the secret manager; null removes it. */
  readonly nameManager: (place: SecretPlace | null) => Promise<EnvAnswer>;
  readonly refresh: () => Promise<EnvAnswer>;
}

/** The id of the only secret manager that the server supports (docs/spec/rest-notebooks.md, 7). */
const PROVIDER = 'infisical';
const NOWHERE = { provider: null, project_id: null, environment: null, path: null, base_url: null };

export function createVariables(store: NotebookStore): Variables {
  const params = (): { sid: string } => ({ sid: store.getState().sessionId });
  const applied = async (answer: Promise<EnvAnswer>): Promise<EnvAnswer> => {
    const env = await answer;
    store.setState({ model: applyOwnEnv(store.getState().model, env) });
    return env;
  };
  return {
    set: (env) => applied(callRoute('setEnv', { params: params(), body: { env } })),
    nameManager: (place) => {
      const body = place === null ? NOWHERE : { provider: PROVIDER, ...place };
      return applied(callRoute('setSecretManager', { params: params(), body }));
    },
    refresh: () => applied(callRoute('refreshSecrets', { params: params() })),
  };
}
