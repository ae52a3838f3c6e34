/** Handlers of the routes about a notebook's environment variables and its secret manager. */

import type { EnvAnswer, SECRET_ROUTES } from '../../../src-shared/wire/routes/secrets.ts';
import type { Session } from '../../session/api.ts';
import type { SessionRequest } from '../../session/state/requests.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

/** The handlers of the routes about environment variables and the secret manager (docs/spec/rest-notebooks.md, 7). */
export function secretHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof SECRET_ROUTES> {
  const change = async (
    { sid, caller }: { readonly sid: string; readonly caller: Caller },
    request: SessionRequest,
  ): Promise<EnvAnswer> => {
    const session = sessionOf(sessions, sid);
    await dispatchAndWait({ session, caller }, request, 'done');
    return envAnswerOf(session);
  };
  return {
    setEnv: ({ params, body, caller }) =>
      change({ sid: params.sid, caller }, { type: 'change_settings', change: { of: 'env', env: body.env } }),
    setSecretManager: ({ params, body, caller }) => {
      const entries = Object.entries(body).flatMap(([key, text]): [string, string][] =>
        text === null || text.trim() === '' ? [] : [[key, text.trim()]],
      );
      const config = entries.length === 0 ? null : Object.fromEntries(entries);
      return change(
        { sid: params.sid, caller },
        { type: 'change_settings', change: { of: 'secret_manager', config } },
      );
    },
    refreshSecrets: ({ params, caller }) => change({ sid: params.sid, caller }, { type: 'refresh_secrets' }),
  };
}

function envAnswerOf(session: Session): EnvAnswer {
  const body = session.views.notebook.body();
  const { env, env_sources, env_fetch_error, env_fetched_at, secret_manager_config } = body;
  return {
    env,
    env_sources,
    env_fetch_error,
    env_fetched_at,
    secret_manager_config,
    cells: session.views.cells.all(),
  };
}
