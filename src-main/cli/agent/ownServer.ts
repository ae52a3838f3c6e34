/**
 * Starts a server in the background for `svc agent` if none with an MCP endpoint is running, and checks for such a
 * server.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';
import { makeFolderAt } from '../../lib/guardedFolder/names.ts';
import { createFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownFolder, ownName, ownPlace } from '../../notebook/folder/ownPlaces.ts';
import { CallError } from '../place/restCaller.ts';

/** How long a server may take to start listening. */
const START_MS = 30_000;
const LISTENING = /^Cellar is at (http:\S+)/;

/** A server that `svc agent` started itself. */
export interface OwnServer {
  readonly url: URL;
  /** Resolves when the process has ended by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Whether a server answers at its MCP endpoint. Also false if nothing listens. */
export async function hasEndpoint(base: URL, token: string | null): Promise<boolean> {
  const url = new URL('mcp/', base.href.endsWith('/') ? base : `${base.href}/`);
  const headers = {
    accept: 'text/event-stream',
    ...(token === null ? {} : { [LAUNCH_TOKEN_HEADER]: token }),
  };
  try {
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    const text = await answer.text();
    // The endpoint requires a session, and says so in its own form.
    return answer.status === 400 && text.includes('Mcp-Session-Id');
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    return false;
  }
}

/**
 * Starts `svc serve` with the endpoint for agents: on this machine, with the parent folder of the notebook as its
 * storage and its log in `.svc/server.log`. @throws CallError if it does not listen in time
 */
export async function startOwnServer(dir: NotebookFolder): Promise<OwnServer> {
  makeFolderAt(ownFolder(dir));
  const log = createFile(ownPlace(dir, 'serverLog'), { over: true });
  const program = process.argv[1] ?? '';
  const child = spawn(process.execPath, [...process.execArgv, program, 'serve', '--grant', dir], {
    env: {
      ...process.env,
      SVC_MCP_ENABLED: 'true',
      SVC_DEPLOYMENT_MODE: 'personal',
      SVC_HOST: '127.0.0.1',
      SVC_NOTEBOOK_STORAGE_DIR: dirname(dir),
    },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const childExit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return childExit;
  };
  const url = await addressOf(child, childExit);
  if (url !== null) return { url, ended: childExit, stop };
  await stop();
  throw new CallError(`The server did not start. See ${dir}/${ownName('serverLog')}.`, 0);
}

/** The URL that the process reports; null if it ends or takes too long. */
function addressOf(child: ChildProcess, childExit: Promise<void>): Promise<URL | null> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), START_MS);
    const settle = (url: URL | null): void => {
      clearTimeout(late);
      resolve(url);
    };
    void childExit.then(() => settle(null));
    child.once('error', () => settle(null));
    if (child.stdout === null) return settle(null);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = LISTENING.exec(line)?.[1];
      if (address !== undefined) settle(new URL(address));
    });
  });
}
