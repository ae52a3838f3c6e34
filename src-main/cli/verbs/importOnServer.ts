import { basename, posix, win32 } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../arguments.ts';
import { CallError, createRestCaller, type RestCaller } from '../place/restCaller.ts';
import { snapshotSummary } from './importSummary.ts';

const LOOK_MS = 200;

interface ImportOnServer {
  readonly file: string;
  /** A name, or a folder of the server's machine, below one it may use; null: named as the file is. */
  readonly out: string | null;
  /** The new notebook comes beside that session's; null: into the storage folder. */
  readonly session: string | null;
  readonly checkDeps: boolean;
  readonly url: URL;
  readonly token: string | null;
}

/**
 * Sends a .ipynb or a snapshot to a running server, which makes a notebook of it and opens it.
 * @returns 0, or 1 where the server refuses or the environment asked for is not to be had
 * @throws UsageError where nobody answers
 */
export async function importOnServer(wanted: ImportOnServer): Promise<number> {
  const caller = createRestCaller(wanted.url, wanted.token);
  try {
    const made = await uploaded(caller, wanted);
    process.stdout.write(`${made.path}\n${made.summary}`);
    return wanted.checkDeps && !(await environmentMade(caller, made.session_id)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 0) throw new UsageError(error.message);
    process.stderr.write(`svc: ${error.message}\n`);
    return 1;
  }
}

async function uploaded(caller: RestCaller, wanted: ImportOnServer) {
  const { file, out } = wanted;
  // Paths are of the server's machine, which may be of the other kind.
  const { dirname, basename: nameOf } = /^[a-z]:|\\/i.test(out ?? '') ? win32 : posix;
  const parent = out === null || dirname(out) === '.' ? await besideOf(caller, wanted.session) : dirname(out);
  const form = {
    ...{ path: file, fileName: basename(file) },
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

/** The folder a session's notebook lies in, as its server spells it. */
async function besideOf(caller: RestCaller, sid: string | null): Promise<string | undefined> {
  if (sid === null) return undefined;
  const { path } = await caller.call('getSession', { params: { sid } });
  return path.replace(/[\\/]+[^\\/]+[\\/]*$/, '');
}

/** Waits for the sync that making the notebook began. */
async function environmentMade(caller: RestCaller, sid: string): Promise<boolean> {
  for (;;) {
    const { environment } = await caller.call('environment', { params: { sid } });
    if (environment.sync_state === 'ready') return true;
    if (environment.sync_state !== 'pending') {
      process.stderr.write(`svc: ${environment.sync_error ?? 'no environment'}\n`);
      return false;
    }
    await setTimeout(LOOK_MS);
  }
}
