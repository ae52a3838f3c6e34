/** Handlers of the routes that open, create, close and read notebooks. */

import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { RuntimeConfig, SessionStateBody } from '../../../src-shared/wire/notebookState.ts';
import type { NOTEBOOK_ROUTES } from '../../../src-shared/wire/routes/notebooks.ts';
import type { Session } from '../../session/api.ts';
import type { App } from '../app.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { promotedCells } from './promotion.ts';
import { readersOf } from './readersOf.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

/** The parts of the server that handlers of routes use. */
export interface HandlerContext extends App {
  /** @throws AppError draining when the server accepts no new work */
  readonly refuseWhenDraining: () => void;
}

/** The handlers of the routes about a notebook as a whole (docs/spec/rest-notebooks.md, 3). */
export function notebookHandlers(context: HandlerContext): HandlersOf<typeof NOTEBOOK_ROUTES> {
  const { sessions } = context;
  return {
    createNotebook: async ({ body }) => {
      context.refuseWhenDraining();
      const creating = sessions.create({
        parentPath: body.parent_path,
        name: body.name,
        pythonVersion: body.python_version ?? null,
        starterCell: body.starter_cell,
      });
      return stateOf(...(await Promise.all([creating, runtimeConfigOf(context)])));
    },
    openNotebook: async ({ body }) => {
      context.refuseWhenDraining();
      // The Pythons are looked up while the notebook is read, since both wait for the disk.
      const [session, config] = await Promise.all([sessions.open(body.path), runtimeConfigOf(context)]);
      return stateOf(session, config);
    },
    closeNotebook: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      await sessions.close(session.id, 'closed');
      return { closed: true, session_id: session.id, path: session.path };
    },
    renameNotebook: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait({ session, caller }, { type: 'rename_notebook', name: body.name }, 'done');
      return { notebook_id: session.notebookId, name: session.views.notebook.body().name };
    },
    setMounts: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const twice = body.mounts.find(
        ({ name }, at) => body.mounts.findIndex((one) => one.name === name) !== at,
      );
      if (twice !== undefined)
        throw new AppError('bad_request', `Two mounts are named "${twice.name}". Rename one of them.`);
      // A mount that exists keeps its path; the same source can still be mounted a second time.
      const mountedUris = new Set(session.views.notebook.body().mounts.map(({ uri }) => uri));
      for (const { uri } of body.mounts) {
        const place = placeOf(uri);
        if (place.kind === 'unsupported' && !mountedUris.has(uri)) {
          throw new AppError('bad_request', `${place.problem}.`);
        }
      }
      const empty = body.mounts.find(({ options }) => holdsNull(options));
      if (empty !== undefined) {
        throw new AppError('bad_request', `An option of the mount "${empty.name}" is null. Omit it instead.`);
      }
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'mounts', mounts: body.mounts } },
        'done',
      );
      return { mounts: session.views.notebook.body().mounts, cells: session.views.cells.all() };
    },
    setTimeout: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'values', values: { timeout: body.timeout } } },
        'done',
      );
      return { timeout: session.views.notebook.body().timeout, cells: session.views.cells.all() };
    },
    // Nothing can be published under a name yet, so no cell has published anything (docs/status.md).
    notebookArtifacts: async ({ params, caller }) => {
      const { notebookId } = sessionOf(sessions, params.sid);
      const cells = await promotedCells(context, { notebookId, caller });
      return { cells, readers: readersOf(sessions.list()) };
    },
    deleteNotebook: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const { name } = session.views.notebook.body();
      await sessions.remove(session.id);
      return { deleted: true, session_id: session.id, name, path: session.path };
    },
    deleteNotebookByPath: async ({ body }) => {
      await sessions.removeAt(body.path);
      return { deleted: true, path: body.path };
    },
    discoverNotebooks: async () => {
      const { root, notebooks } = await sessions.discover();
      return {
        root,
        notebooks: notebooks.map(({ path, name, notebookId, updatedAt }) => ({
          path,
          name,
          notebook_id: notebookId,
          updated_at: updatedAt,
        })),
      };
    },
    validateRecents: async ({ body }) => {
      const checked = await Promise.all(
        body.paths.map(async (path) => ({ path, valid: await sessions.isNotebook(path) })),
      );
      return { valid: checked.filter(({ valid }) => valid).map(({ path }) => path) };
    },
    listSessions: async () => ({
      sessions: sessions.list().map((session) => {
        const { name, created_at, updated_at } = session.views.notebook.body();
        return {
          session_id: session.id,
          name,
          path: session.path,
          notebook_id: session.notebookId,
          created_at,
          updated_at,
        };
      }),
    }),
    getSession: async ({ params }) => {
      const session = sessionOf(sessions, params.sid, 'Session not found');
      return stateOf(session, await runtimeConfigOf(context));
    },
    getConfig: () => runtimeConfigOf(context),
    getDag: async ({ params }) => sessionOf(sessions, params.sid).views.notebook.dag(),
  };
}

function stateOf(session: Session, runtime: RuntimeConfig): SessionStateBody {
  const { id, path } = session;
  return {
    ...session.views.notebook.body(),
    ...runtime,
    session_id: id,
    path,
    dag: session.views.notebook.dag(),
  };
}

/** The state of a newly imported notebook, in the form of a newly created one. */
export async function importedState(session: Session, context: App): Promise<SessionStateBody> {
  return stateOf(session, await runtimeConfigOf(context));
}

/** The part of the configuration that a client needs (docs/spec/rest-notebooks.md, 2.9). */
async function runtimeConfigOf({ config, pythonVersions }: App): Promise<RuntimeConfig> {
  const versions = config.notebookPythonVersions ?? (await pythonVersions());
  return {
    deployment_mode: config.deploymentMode,
    default_parent_path: config.notebookStorageDir,
    available_python_versions: [...versions],
    // Empty if no Python was found: the notebook opens, and its cells report it.
    default_python_version: versions[0] ?? '',
    python_selection_fixed: versions.length <= 1,
    registry_enabled: true,
    team_store_configured: config.notebookRemoteStoreUrl !== null,
  };
}

/** notebook.toml cannot hold null. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(holdsNull);
}
