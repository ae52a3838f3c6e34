/** Handlers of the routes about a notebook's SQL connections: settings, tests and schemas. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { CONNECTION_ROUTES } from '../../../src-shared/wire/routes/connections.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

/** The handlers of the routes about SQL connections (docs/spec/rest-notebooks.md, 7). */
export function connectionHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof CONNECTION_ROUTES> {
  return {
    listConnections: async ({ params }) => ({
      connections: sessionOf(sessions, params.sid).views.notebook.body().connections,
    }),
    setConnections: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'connections', connections: body.connections } },
        'done',
      );
      const { connections, malformed_connections } = session.views.notebook.body();
      return { connections, malformed_connections, cells: session.views.cells.all() };
    },
    connectionSchema: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const { driver, tables } = await session.views.data.probeConnection(params.name, 'schema');
      return {
        connection: params.name,
        driver,
        tables: tables.map(({ catalog, schema, name, columns }) => ({
          catalog,
          schema,
          name,
          columns: [...columns],
        })),
      };
    },
    testConnection: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const from = performance.now();
      try {
        await session.views.data.probeConnection(params.name, 'test');
        return { ok: true, problem: null, duration_ms: performance.now() - from };
      } catch (error) {
        // The database's error is the result of the test, not a refusal of the request.
        if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
        return { ok: false, problem: error.message, duration_ms: performance.now() - from };
      }
    },
  };
}
