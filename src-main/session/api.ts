/** The interfaces of a session (an open notebook) and of all sessions, which the server and the commands use. */

import type { NotebookId, SessionId } from '../../src-shared/notebook/ids.ts';
import type { SessionClosedReason } from '../../src-shared/wire/frames/server.ts';
import type { HoldAnswer } from '../../src-shared/wire/routes/holds.ts';
import type { FoundNotebook } from '../notebook/discover.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { AddressedFrame, FrameSink, Origin, Reply, SessionRequest } from './state/requests.ts';
import type { SessionViews } from './views/sessionViews.ts';

export type { FoundNotebook };

/**
 * One notebook opened in memory: one mailbox, one reducer, one writer of its folder. `dispatch` is the only way
 * to change it (`state/requests.ts`), `views` the way to read it; {@link Sessions} opens and closes it.
 */
export interface Session {
  readonly id: SessionId;
  readonly path: NotebookFolder;
  readonly notebookId: NotebookId;
  dispatch(request: SessionRequest, origin: Origin): Promise<Reply>;
  readonly views: SessionViews;
  /** At most one sink: the live layer attaches it when the session opens. */
  attach(sink: FrameSink): void;
  /** Sends frames that no event of the session produced, such as those of the assistant. */
  announce(frames: readonly AddressedFrame[]): void;
  readonly lifetime: Lifetime;
}

/** The lifetime of a session: what keeps it open, and its end. */
export interface Lifetime {
  /** Records activity that is not a request, so that the session does not count as idle. */
  touch(): void;
  /** Aborted when the session ends: work beside its mailbox stops then. */
  readonly ended: AbortSignal;
}

/** The time limits of a hold. */
export interface QuiesceLimits {
  /** How long running cells may continue. */
  readonly timeoutMs: number;
  /** When the hold expires. */
  readonly maxHoldMs: number;
}

/** The open sessions of one server process. All methods throw AppError for refusals. */
export interface Sessions {
  /**
   * @throws AppError bad_request (path outside the roots, `..`), not_found, NOTEBOOK_IN_USE, bad_request
   * (broken notebook, with the reason)
   */
  open(path: string): Promise<Session>;
  /** @throws AppError bad_request (name, Python version), conflict (target holds a notebook) */
  create(options: {
    readonly parentPath: string;
    readonly name: string;
    readonly pythonVersion: string | null;
    readonly starterCell: boolean;
  }): Promise<Session>;
  /**
   * The folder for a new notebook; `''` is the storage root. @throws AppError bad_request (outside the
   * roots), forbidden
   */
  parentFolder(path: string): Promise<string>;
  find(id: string): Session | null;
  list(): readonly Session[];
  /** @throws AppError conflict while a cell runs, ENVIRONMENT_BUSY while a job runs */
  close(id: SessionId, reason: SessionClosedReason): Promise<void>;
  /**
   * Deletes a session's folder; its sockets get `deleted`.
   * @throws AppError as close, and bad_request (a link, no notebook file), NOTEBOOK_IN_USE
   */
  remove(id: SessionId): Promise<void>;
  /**
   * Deletes the notebook in a folder, open or not. @throws AppError bad_request (outside the roots), not_found, as
   * remove
   */
  removeAt(path: string): Promise<void>;
  /** The notebooks below the storage root, newest first (docs/spec/rest-notebooks.md, 3, 4). */
  discover(): Promise<{ readonly root: string; readonly notebooks: readonly FoundNotebook[] }>;
  /** Whether a path still contains a notebook this process may open. */
  isNotebook(path: string): Promise<boolean>;
  /**
   * Holds a folder and every notebook in it, open or not (docs/spec/rest-notebooks.md, 4).
   * @throws AppError bad_request (outside the roots), not_found, NOTEBOOK_QUIESCED (another hold overlaps)
   */
  quiesce(path: string, limits: QuiesceLimits): Promise<HoldAnswer>;
  /** Whether exactly this folder was held. @throws AppError bad_request, as quiesce */
  release(path: string): Promise<{ readonly path: string; readonly released: boolean }>;
  /** The user trusts another folder: sessions in it may run once this resolves. Never rejects. */
  recheckTrust(): Promise<void>;
  /** The server's list of workers has changed. */
  recheckWorkers(): void;
  /** Ends every session and everything it started; sockets get `shutdown`. */
  shutdown(): Promise<void>;
  onOpened(listener: (session: Session) => void): void;
}
