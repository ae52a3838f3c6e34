/** Opens, finds and closes the sessions of one server. */

import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SessionId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import { replacedSince } from '../../lib/folderIdentity.ts';
import { releaseMemorySoon } from '../../lib/releaseMemory.ts';
import { createNotebook } from '../../notebook/createNotebook.ts';
import { discoverNotebooks, isNotebookFolder } from '../../notebook/discover.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { checkRemovable, isWithin, removeNotebook } from '../../notebook/removeNotebook.ts';
import {
  forbiddenMessage,
  isPermission,
  type ResolvedPath,
  resolveInside,
} from '../../notebook/resolveInside.ts';
import type { Session, Sessions } from '../api.ts';
import type { NotebookSession } from '../session.ts';
import { createHolds, HELD_MESSAGE } from '../state/holds.ts';
import type { Origin } from '../state/requests.ts';
import { createFolderDeadline } from '../watch/folderDeadline.ts';
import { closeExcessSessions, type Limits } from './closeExcessSessions.ts';
import { type OpenOptions, type OpenServices, openSession } from './openSession.ts';
import { quiesce } from './quiesce.ts';
import { refuseDeletingShipped } from './refuseDeletingShipped.ts';
import { TRUST_ALL } from './trust.ts';

interface SessionsOptions extends OpenServices {
  /** Folders with notebooks; the first is the storage root, the others were granted to this process. */
  readonly roots: readonly string[];
  /** Further folders whose notebooks are listed with those of the storage root. */
  readonly alsoListed?: readonly string[];
  /** Folders that came with the program, in which nothing is deleted. */
  readonly installed?: readonly string[];
  /** For tests: replaces OPENING_WAIT_MS. */
  readonly openingWaitMs?: number;
}

/** How long a shutdown waits for notebooks that are still opening. */
const OPENING_WAIT_MS = 2_000;
/** Interval of the limit checks, in addition to every opening (docs/spec/live-protocol.md, 7). */
const LIMIT_CHECK_MS = 60_000;

/** The origin for changes that are carried over from the previous session. */
const SERVER_ORIGIN: Origin = { kind: 'caller', identity: 'local' };

/**
 * The open sessions of one server. A folder has at most one: opening it again returns the same session
 * (docs/spec/live-protocol.md, 7).
 */
export function createSessions(options: SessionsOptions): Sessions {
  const byId = new Map<string, NotebookSession>();
  const opening = new Map<string, Promise<NotebookSession>>();
  const ending = new Map<string, Promise<void>>();
  const listeners: ((session: Session) => void)[] = [];
  /** Whether the folder a session was opened in has been replaced by another. */
  const replaced = new WeakMap<NotebookSession, () => boolean>();
  const folders = createFolderDeadline();
  /** Sessions that were opened untrusted: they cannot start to run, only be replaced by one that can. */
  const reading = new WeakSet<NotebookSession>();
  let shuttingDown = false;
  const storageRoot = options.roots[0] ?? '.';
  const trust = options.trust ?? TRUST_ALL;
  const holds = createHolds((path) => {
    for (const session of byId.values()) {
      if (isWithin(session.path, path)) session.report({ type: 'hold_changed', phase: null });
    }
  });

  /** @throws AppError NOTEBOOK_QUIESCED if a hold forbids writes */
  function refuseHeld(dir: string): void {
    if (holds.over(dir) !== null) throw new AppError('NOTEBOOK_QUIESCED', HELD_MESSAGE);
  }

  /** The folder a hold is about. @throws AppError bad_request, forbidden, not_found */
  async function heldFolder(path: string): Promise<string> {
    const dir = allowed(await resolveInside(options.roots, path));
    const stats = await stat(dir).catch(() => null);
    if (stats?.isDirectory() !== true) throw new AppError('not_found', `There is no folder ${path}.`);
    return dir;
  }

  let limiting: Promise<void> = Promise.resolve();
  const limitCheck = setInterval(() => void keepLimits(null), LIMIT_CHECK_MS);
  limitCheck.unref();

  const { config } = options;
  const limits: Limits = {
    ttlMs: config.notebookSessionTtlSeconds * 1000,
    most: config.notebookMaxSessions,
    minAvailableMb: config.notebookSessionMinAvailableMb,
  };

  /**
   * Applies the limits for a folder that is about to open, or for none; one call at a time, each with the
   * sessions open in its turn.
   */
  function keepLimits(dir: NotebookFolder | null): Promise<void> {
    const comingUp = (): number => {
      const openPaths = new Set<string>(Array.from(byId.values(), ({ path }) => path));
      const coming = new Set(dir === null ? opening.keys() : [...opening.keys(), dir]);
      return [...coming].filter((path) => !openPaths.has(path)).length;
    };
    limiting = limiting
      .then(() =>
        closeExcessSessions(
          { open: () => byId.values(), end, isHeld: ({ path }) => holds.over(path) !== null },
          { limits, opening: comingUp },
        ),
      )
      .catch((error: unknown) => options.log.error({ err: error }, 'closing a session for a limit failed'));
    return limiting;
  }

  async function end(session: NotebookSession, reason: SessionClosedReason): Promise<void> {
    byId.delete(session.id);
    const closing = session.close(reason).finally(() => {
      ending.delete(session.path);
      releaseMemorySoon();
    });
    ending.set(session.path, closing);
    await closing;
  }

  /** Opens the folder once its ending session is done, which has the writer lock until then. */
  async function openAfterEnd(dir: NotebookFolder): Promise<NotebookSession> {
    const before = ending.get(dir);
    if (before !== undefined) {
      await Promise.allSettled([before]);
      // The folder may have been deleted with it.
      await notebookDirectory(options.roots, dir);
    }
    await keepLimits(dir);
    return openNoting(dir, { hold: holds.over(dir) });
  }

  async function openNoting(dir: NotebookFolder, how: OpenOptions): Promise<NotebookSession> {
    const session = await openSession(dir, options, how);
    if (!session.state.trusted) reading.add(session);
    return session;
  }

  /** @throws AppError conflict while a cell runs, ENVIRONMENT_BUSY while a job runs */
  function refuseBusy({ state }: NotebookSession, doing: string): void {
    const { running, environment, testing } = state;
    if (running !== null) {
      const busy = running.current?.cellId ?? running.targetId ?? '';
      throw new AppError('conflict', `Cell ${busy} is running. Stop it before ${doing} the notebook.`);
    }
    const [tests] = testing.values();
    if (tests !== undefined) {
      throw new AppError(
        'conflict',
        `The tests of cell ${tests.cellId} are running. Stop them before ${doing} the notebook.`,
      );
    }
    if (environment.job?.status === 'running') {
      throw new AppError(
        'ENVIRONMENT_BUSY',
        `The environment is being prepared. Wait until it is done before ${doing} the notebook.`,
        { environment_job: environment.job },
      );
    }
  }

  /** @throws AppError source_not_saved while a text exists only in the session */
  function refuseUnsaved({ state }: NotebookSession): void {
    const [first] = state.unsaved;
    if (first === undefined) return;
    const why = state.cells.get(first)?.fileProblem ?? '';
    throw new AppError('source_not_saved', `Closing now would lose the text of cell ${first}. ${why}`);
  }

  /**
   * Closes the session of the folder, then deletes the folder; an opening in the meantime waits and then finds
   * nothing.
   */
  async function remove(dir: NotebookFolder): Promise<void> {
    await refuseDeletingShipped(dir, options.installed ?? []);
    await checkRemovable(dir, options.roots);
    refuseHeld(dir);
    await Promise.allSettled([opening.get(dir)]);
    const inside = [...byId.values()].find(({ path }) => path !== dir && isWithin(path, dir));
    if (inside !== undefined) {
      throw new AppError('conflict', `The folder contains the open notebook ${inside.path}. Close it first.`);
    }
    const session = [...byId.values()].find(({ path }) => path === dir);
    if (session !== undefined) refuseBusy(session, 'deleting');
    const closed = session === undefined ? ending.get(dir) : end(session, 'deleted');
    const removed = Promise.resolve(closed)
      .then(() => removeNotebook(dir))
      .finally(() => ending.delete(dir));
    ending.set(dir, removed);
    await removed;
    trust.removed(dir);
  }

  /**
   * Trust may have been granted while the session was being opened, and the folder replaced while it was
   * open. To do the steps that were skipped for an untrusted folder, the folder is opened again under the
   * same id. @returns the session that has the folder now
   */
  async function recheckTrust(session: NotebookSession): Promise<NotebookSession> {
    if (session.state.readOnly !== null) return session;
    const trusted = trust.isTrusted(session.path);
    if (trusted === session.state.trusted) return session;
    if (trusted && reading.has(session)) return succeed(session);
    session.report({ type: trusted ? 'folder_trusted' : 'folder_replaced' });
    return session;
  }

  const succeeding = new Map<NotebookSession, Promise<NotebookSession>>();

  function succeed(session: NotebookSession): Promise<NotebookSession> {
    const under = succeeding.get(session) ?? replaceBy(session);
    succeeding.set(session, under);
    return under.finally(() => succeeding.delete(session));
  }

  async function replaceBy(session: NotebookSession): Promise<NotebookSession> {
    const { id, path } = session;
    const sink = session.attach(null);
    await session.close('closed');
    try {
      const next = await openNoting(path, { hold: holds.over(path), id });
      // The notebook was closed or deleted in the meantime.
      if (byId.get(id) !== session || shuttingDown) {
        await next.close('closed');
        sink?.closed('closed');
        return session;
      }
      admit(next);
      // Secrets that the user typed are only in memory.
      const { env } = session.state.file;
      if (!isDeepStrictEqual(env, next.state.file.env))
        await next.dispatch({ type: 'change_settings', change: { of: 'env', env } }, SERVER_ORIGIN);
      return next;
    } catch (error) {
      // No session has the folder now; windows request it again and get the reason it does not open.
      if (byId.get(id) === session) byId.delete(id);
      sink?.closed('closed');
      throw error;
    }
  }

  /** Makes this the session of its folder. */
  function admit(session: NotebookSession): void {
    byId.set(session.id, session);
    replaced.set(session, replacedSince(session.path));
    recheckHold(session);
    recheckWorkers(session);
    for (const listener of listeners) listener(session);
  }

  /** The server's workers may have changed while the session was being opened. */
  function recheckWorkers(session: NotebookSession): void {
    const workers = options.serverWorkers?.();
    if (workers === undefined || workers === session.state.options.serverWorkers) return;
    session.report({ type: 'server_workers_changed', workers });
  }

  /** A hold may have started or ended while the session was being opened. */
  function recheckHold(session: NotebookSession): void {
    const phase = holds.over(session.path)?.phase ?? null;
    if (phase !== session.views.notebook.hold) session.report({ type: 'hold_changed', phase });
  }

  async function open(path: string): Promise<Session> {
    const dir = notebookFolder(await folders.within(path, () => notebookDirectory(options.roots, path)));
    const existing = [...byId.values()].find((session) => session.path === dir);
    if (existing !== undefined && replaced.get(existing)?.() !== true) {
      existing.lifetime.touch();
      // The folder may be writable now.
      if (existing.state.readOnly !== null) return succeed(existing);
      // An opener sees earlier changes on disk, even if the watcher has not reported them yet.
      await existing.takeIn(null);
      return recheckTrust(existing);
    }
    if (existing !== undefined) {
      void end(existing, 'deleted').catch((error: unknown) =>
        options.log.error(
          { err: error, session_id: existing.id },
          'ending the session of a deleted folder failed',
        ),
      );
    }
    const pending = opening.get(dir) ?? openAfterEnd(dir);
    opening.set(dir, pending);
    try {
      const session = await pending;
      if (shuttingDown) {
        if (opening.delete(dir)) await end(session, 'shutdown');
        throw new AppError('draining', 'The server is shutting down.');
      }
      if (!byId.has(session.id)) admit(session);
      return await recheckTrust(byId.get(session.id) ?? session);
    } finally {
      opening.delete(dir);
    }
  }

  async function parentFolder(path: string): Promise<string> {
    const dir = allowed(await resolveInside(options.roots, path === '' ? storageRoot : path));
    refuseHeld(dir);
    return dir;
  }

  return {
    open,
    parentFolder,
    async create({ parentPath, name, pythonVersion, starterCell }) {
      const parent = await parentFolder(parentPath);
      const versions = await options.environments.offeredVersions();
      if (pythonVersion !== null && !versions.includes(pythonVersion)) {
        throw new AppError(
          'bad_request',
          `Python ${pythonVersion} is not available. This machine has ${versions.join(', ') || 'none'}.`,
        );
      }
      const created = await createNotebook({
        parentDir: parent,
        name,
        pythonVersion: pythonVersion ?? versions[0] ?? '3.12',
        starterCell,
      });
      if (created.kind === 'exists') throw new AppError('conflict', created.message);
      if (created.kind === 'refused') throw new AppError('bad_request', created.message);
      trust.made(await realpath(created.dir));
      return open(created.dir);
    },
    find: (id) => byId.get(id) ?? null,
    list: () => [...byId.values()],
    async close(id: SessionId, reason) {
      const session = byId.get(id);
      if (session === undefined) throw new AppError('not_found', 'Notebook not found');
      refuseBusy(session, 'closing');
      refuseUnsaved(session);
      await end(session, reason);
    },
    async remove(id: SessionId) {
      const session = byId.get(id);
      if (session === undefined) throw new AppError('not_found', 'Notebook not found');
      await remove(session.path);
    },
    async removeAt(path) {
      allowed(await resolveInside(options.roots, path));
      const target = resolve(storageRoot, path);
      // Links in parent folders are followed, as for an open session's path; a link in the notebook's own
      // place is refused.
      const parent = await realpath(dirname(target)).catch(() => dirname(target));
      await remove(notebookFolder(join(parent, basename(target))));
    },
    async discover() {
      const listed = [storageRoot, ...(options.alsoListed ?? [])];
      const notebooks = (await Promise.all(listed.map((dir) => discoverNotebooks(resolve(dir))))).flat();
      const at = ({ updatedAt }: { readonly updatedAt: string | null }): number =>
        (updatedAt === null ? 0 : Date.parse(updatedAt)) || 0;
      return { root: resolve(storageRoot), notebooks: notebooks.toSorted((a, b) => at(b) - at(a)) };
    },
    async isNotebook(path) {
      const inside = await resolveInside(options.roots, path);
      return inside.kind === 'inside' && isNotebookFolder(inside.path);
    },
    quiesce: async (path, limits) =>
      quiesce(await heldFolder(path), limits, { holds, sessions: () => [...byId.values()] }),
    async release(path) {
      // The folder may have been moved in the meantime.
      const dir = allowed(await resolveInside(options.roots, path));
      return { path: dir, released: holds.release(dir) };
    },
    async recheckTrust() {
      const rechecked = await Promise.allSettled([...byId.values()].map(recheckTrust));
      for (const end of rechecked) {
        if (end.status === 'rejected')
          options.log.error({ err: end.reason }, 'a trusted notebook could not be opened again');
      }
    },
    recheckWorkers() {
      for (const session of byId.values()) recheckWorkers(session);
    },
    async shutdown() {
      clearInterval(limitCheck);
      holds.close();
      shuttingDown = true;
      const opened = Promise.allSettled(opening.values());
      // Openings that take longer (a disk that does not answer) are ended by `open` when they complete.
      await Promise.race([opened, delay(options.openingWaitMs ?? OPENING_WAIT_MS, null, { ref: false })]);
      await Promise.all([...byId.values()].map((session) => end(session, 'shutdown')));
      await Promise.allSettled(ending.values());
    },
    onOpened: (listener) => void listeners.push(listener),
  };
}

/** The path, if it may be used. @throws AppError bad_request or forbidden with the reason */
function allowed(resolved: ResolvedPath): string {
  if (resolved.kind === 'inside') return resolved.path;
  throw new AppError(resolved.kind === 'forbidden' ? 'forbidden' : 'bad_request', resolved.message);
}

/** The notebook folder a path names: inside a root, existing, with a readable notebook.toml. */
async function notebookDirectory(roots: readonly string[], path: string): Promise<string> {
  const inside = allowed(await resolveInside(roots, path));
  const dir = await realpath(inside).catch(() => resolve(inside));
  const file = join(dir, 'notebook.toml');
  try {
    if ((await stat(file)).isFile()) {
      await access(file, constants.R_OK);
      return dir;
    }
  } catch (error) {
    if (isPermission(error)) throw new AppError('forbidden', forbiddenMessage(await firstClosed(dir, file)));
    // Missing or not a folder: reported below.
  }
  const folder = await stat(dir).catch(() => null);
  if (folder === null) throw new AppError('not_found', `There is no folder ${path}.`);
  throw new AppError('bad_request', `${path} is not a notebook: it has no notebook.toml file.`);
}

/** The folder or the file, whichever cannot be read, because a user has to know where to change something. */
async function firstClosed(dir: string, file: string): Promise<string> {
  const entered = await access(dir, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return entered ? file : dir;
}
