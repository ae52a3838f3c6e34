/**
 * The servers that the tests of one Playwright worker share: one real server, and fixed ports whose URLs the browser
 * knows already.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src-main/lib/testing/freePort.ts';
import { rest } from './rest.ts';
import { type ServerOptions, type ServerProcess, startServerProcess } from './serverProcess.ts';

/** The real server of all tests of a worker without special options; each has its own folder and session. */
export class SharedServers {
  #root: string | null = null;
  #process: ServerProcess | null = null;
  #ownPort = 0;
  /** Where the first fake server of each test listens. */
  fakePort = 0;

  /** Holds the folders of the tests that use the shared server. */
  async root(): Promise<string> {
    this.#root ??= await realpath(await mkdtemp(join(tmpdir(), 'cellar-pages-')));
    return this.#root;
  }

  /** The shared server, which no test may stop. */
  async server(): Promise<ServerProcess> {
    this.#process ??= await startServerProcess({ grants: [await this.root()] });
    const stop = (): never => {
      throw new Error('other tests need this server: ask serveReal for one with `own: true`');
    };
    return { ...this.#process, stop, dispose: stop };
  }

  /**
   * A server of one test's own. It listens where that of an earlier test did, if the port is still free: the browser
   * has the compiled program of that URL.
   */
  async ownServer(options: ServerOptions): Promise<ServerProcess> {
    if (this.#ownPort === 0) this.#ownPort = await freePort();
    try {
      return await startServerProcess({ port: this.#ownPort, ...options });
    } catch (error) {
      if (!String(error).includes(`port ${this.#ownPort} is in use`)) throw error;
      this.#ownPort = await freePort();
      return startServerProcess({ port: this.#ownPort, ...options });
    }
  }

  /**
   * Closes every session of the shared server; if one cannot be closed or the test failed, the next test gets a new
   * server.
   */
  async leave(passed: boolean): Promise<void> {
    const process = this.#process;
    if (process === null) return;
    if (passed && (await closeSessions(process.url).catch(() => false))) return;
    this.#process = null;
    await process.dispose();
  }

  /** Ends the shared server and removes the folders. */
  async dispose(): Promise<void> {
    await this.#process?.dispose();
    if (this.#root !== null) await rm(this.#root, { recursive: true, force: true });
  }
}

async function closeSessions(url: string): Promise<boolean> {
  const { body } = await rest<{ sessions: { session_id: string }[] }>(url, 'GET', '/v1/notebooks/sessions');
  for (const { session_id } of body.sessions) {
    const { status } = await rest(url, 'POST', `/v1/notebooks/${session_id}/close`);
    if (status !== 200) return false;
  }
  return true;
}
