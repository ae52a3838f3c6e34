/** Sends a .ipynb file or a snapshot to a running server, which makes a notebook from it (`svc import --server`). */

import { basename, posix, win32 } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../arguments.ts';
import { CallError, createRestCaller, type RestCaller } from '../place/restCaller.ts';
import { snapshotSummary } from './importSummary.ts';

const POLL_MS = 200;

interface ImportOnServer {
  readonly file: string;
  /** A name, or a folder on the server's machine, inside one that it may use; null: named after the file. */
  readonly out: string | null;
  /** The new notebook is created beside that session's; null: in the storage folder. */
  readonly session: string | null;
  readonly checkDeps: boolean;
  readonly url: URL;
  readonly token: string | null;
}

/**
 * Sends a .ipynb or a snapshot to a running server, which makes a notebook from it and opens it.
 * @returns 0, or 1 if the server refuses or the requested environment is not available
 * @throws UsageError if the server does not answer
 */
export async function importOnServer(request: ImportOnServer): Promise<number> {
  const caller = createRestCaller(request.url, request.token);
  try {
    const created = await uploaded(caller, request);
    process.stdout.write(`${created.path}\n${created.summary}`);
    return request.checkDeps && !(await environmentMade(caller, created.session_id)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 0) throw new UsageError(error.message);
    process.stderr.write(`svc: ${error.message}\n`);
    return 1;
  }
}

async function uploaded(caller: RestCaller, request: ImportOnServer) {
  const { file, out } = request;
  // Paths are of the server's machine, which may have another operating system.
  const { dirname, basename: nameOf } = /^[a-z]:|\\/i.test(out ?? '') ? win32 : posix;
  const parent =
    out === null || dirname(out) === '.' ? await besideOf(caller, request.session) : dirname(out);
  const form = {
    path: file,
    fileName: basename(file),
    fields: {
      ...(out === null ? {} : { name: nameOf(out), folder: nameOf(out) }),
      parent_path: parent,
    },
  };
  if (/\.ipynb$/i.test(file)) {
    const { path, session_id, import_report } = await caller.upload('importNotebook', form);
    return { path, session_id, summary: import_report.report_text };
  }
  const { path, session_id, import_report } = await caller.upload('importSnapshot', form);
  return { path, session_id, summary: snapshotSummary(import_report) };
}

/** The parent folder of a session's notebook, as its server spells it. */
async function besideOf(caller: RestCaller, sid: string | null): Promise<string | undefined> {
  if (sid === null) return undefined;
  const { path } = await caller.call('getSession', { params: { sid } });
  return path.replace(/[\\/]+[^\\/]+[\\/]*$/, '');
}

/** Waits for the sync that creating the notebook started. */
async function environmentMade(caller: RestCaller, sid: string): Promise<boolean> {
  for (;;) {
    const { environment } = await caller.call('environment', { params: { sid } });
    if (environment.sync_state === 'ready') return true;
    if (environment.sync_state !== 'pending') {
      process.stderr.write(`svc: ${environment.sync_error ?? 'no environment'}\n`);
      return false;
    }
    await setTimeout(POLL_MS);
  }
}
