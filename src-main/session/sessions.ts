import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { SessionClosedReason } from '../../src-shared/wire/frames/server.ts';
import { createNotebook } from '../notebook/createNotebook.ts';
import { resolveInside } from '../notebook/resolveInside.ts';
import type { Session, Sessions } from './api.ts';
import { type OpenServices, openSession } from './openSession.ts';
import type { NotebookSession } from './session.ts';

export interface SessionsOptions extends OpenServices {
  /** Notebooks lie in these folders; the first is the storage root, the others were granted to this process. */
  readonly roots: readonly string[];
}

/** How often idle sessions are looked for (document 3: checks run every minute). */
const IDLE_CHECK_MS = 60_000;

/** The open sessions of one server. A folder has at most one: opening it again answers the same (document 3). */
export function createSessions(options: SessionsOptions): Sessions {
  const byId = new Map<string, NotebookSession>();
  const opening = new Map<string, Promise<NotebookSession>>();
  const ending = new Map<string, Promise<void>>();
  const listeners: ((session: Session) => void)[] = [];
  const storageRoot = options.roots[0] ?? '.';

  const idleCheck = setInterval(() => void closeIdle(), IDLE_CHECK_MS);
  idleCheck.unref();

  async function closeIdle(): Promise<void> {
    const ttlMs = options.config.notebookSessionTtlSeconds * 1000;
    for (const session of byId.values()) {
      const busy = session.state.running !== null || session.state.environment.job !== null;
      if (!busy && Date.now() - session.lastActivityMs > ttlMs) await end(session, 'idle');
    }
  }

  async function end(session: NotebookSession, reason: SessionClosedReason): Promise<void> {
    byId.delete(session.id);
    const ended = session.close(reason).finally(() => ending.delete(session.path));
    ending.set(session.path, ended);
    await ended;
  }

  /** Opens once the session that has the folder is through with it: it holds the writer lock until then. */
  async function openAfterEnd(dir: string): Promise<NotebookSession> {
    await Promise.allSettled([ending.get(dir)]);
    return openSession(dir, options);
  }

  async function open(path: string): Promise<Session> {
    const dir = await notebookDirectory(options.roots, path);
    const known = [...byId.values()].find((session) => session.path === dir);
    if (known !== undefined) return known;
    const pending = opening.get(dir) ?? openAfterEnd(dir);
    opening.set(dir, pending);
    try {
      const session = await pending;
      if (!byId.has(session.id)) {
        byId.set(session.id, session);
        for (const listener of listeners) listener(session);
      }
      return session;
    } finally {
      opening.delete(dir);
    }
  }

  return {
    open,
    async create({ parentPath, name, pythonVersion, starterCell }) {
      const parent = await resolveInside(options.roots, parentPath === '' ? storageRoot : parentPath);
      if (parent.kind === 'outside') throw new AppError('bad_request', parent.message);
      const versions = await options.environments.offeredVersions();
      if (pythonVersion !== null && !versions.includes(pythonVersion)) {
        throw new AppError(
          'bad_request',
          `Python ${pythonVersion} is not offered here; this machine has ${versions.join(', ') || 'none'}.`,
        );
      }
      const created = await createNotebook({
        parentDir: parent.path,
        name,
        pythonVersion: pythonVersion ?? versions[0] ?? '3.12',
        starterCell,
      });
      if (created.kind === 'exists') throw new AppError('conflict', created.message);
      if (created.kind === 'refused') throw new AppError('bad_request', created.message);
      return open(created.dir);
    },
    find: (id) => byId.get(id) ?? null,
    list: () => [...byId.values()],
    async close(id: SessionId, reason) {
      const session = byId.get(id);
      if (session === undefined) throw new AppError('not_found', 'Notebook not found');
      const { running, environment } = session.state;
      if (running !== null) {
        const busy = running.current?.cellId ?? running.targetId ?? '';
        throw new AppError('conflict', `Cell ${busy} is running; stop it before closing the notebook.`);
      }
      if (environment.job?.status === 'running') {
        throw new AppError(
          'ENVIRONMENT_BUSY',
          'The environment is being prepared; close the notebook when it is done.',
          {
            environment_job: environment.job,
          },
        );
      }
      await end(session, reason);
    },
    async shutdown() {
      clearInterval(idleCheck);
      await Promise.allSettled(opening.values());
      await Promise.all([...byId.values()].map((session) => end(session, 'shutdown')));
    },
    onOpened: (listener) => void listeners.push(listener),
  };
}

/** The notebook folder a path names: inside a root, present, holding a notebook.toml. */
async function notebookDirectory(roots: readonly string[], path: string): Promise<string> {
  const inside = await resolveInside(roots, path);
  if (inside.kind === 'outside') throw new AppError('bad_request', inside.message);
  const dir = await realpath(inside.path).catch(() => resolve(inside.path));
  const file = await stat(join(dir, 'notebook.toml')).catch(() => null);
  if (file?.isFile()) return dir;
  const folder = await stat(dir).catch(() => null);
  if (folder === null) throw new AppError('not_found', `There is no folder ${path}.`);
  throw new AppError('bad_request', `${path} is not a notebook: it holds no notebook.toml.`);
}
