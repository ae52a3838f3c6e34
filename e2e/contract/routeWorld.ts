/**
 * The built server and the notebook that contract tests of routes send their calls to, with fakes of what these use: a
 * package index, an AI provider, a catalog that never answers and an ssh server.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { createTestIndex, indexSettings } from '../../src-main/environment/testing/testIndex.ts';
import { ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { startSilentServer } from '../support/silentServer.ts';
import { startSshServer, whyNoSshd } from '../support/sshServer.ts';
import { storeTable } from '../support/storedTable.ts';
import type { Call } from './refusedCalls.ts';

/** A server and an open notebook with results. */
export interface RouteWorld {
  /** The folder of its notebooks. */
  readonly root: string;
  readonly server: ServerProcess;
  readonly notebook: OpenNotebook;
  /** URIs of a displayed value and of a stored table. */
  readonly tableUri: string;
  readonly frameUri: string;
  /** A name that no notebook of this server has yet. */
  freshName(): string;
  dispose(): Promise<void>;
}

export async function openRouteWorld(): Promise<RouteWorld> {
  const root = await mkdtemp(join(tmpdir(), 'cellar-contract-'));
  // Packages come from a folder of tiny wheels: nothing is downloaded.
  const index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  const silent = await startSilentServer();
  const ssh = whyNoSshd === null ? await startSshServer() : null;
  const PATH = [ssh?.bin, process.env['PATH']].filter((part) => part !== undefined).join(delimiter);
  const ai = await startAiServer();
  ai.next({ kind: 'text', text: 'Hello' });
  const server = await startServerProcess({
    grants: [root],
    env: {
      ...indexSettings(index),
      PATH,
      SVC_REGISTRY_PROTECTED_ALIASES: 'prod',
      SVC_CATALOGS: JSON.stringify({ silent: { type: 'rest', uri: silent.url } }),
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
    },
  });
  const dir = await writeNotebook(join(root, 'contract'), {
    cells: [
      { id: 'value001', source: 'x = {"a": [1, 2.5, None]}' },
      { id: 'shown001', source: 'x' },
      { id: 'spare001', source: 'y = 1' },
      { id: 'lo000001', source: '# @variant m lo\nz = 1' },
      { id: 'looped01', source: '# @loop max_iter=2 carry=y\ny = y + 1\ny' },
    ],
  });
  const frameUri = await storeTable(dir, 'shown001', 'types');
  const notebook = await openNotebook(server, dir);
  await notebook.execute('shown001');
  await notebook.execute('looped01');
  const tableUri = (await notebook.cell('shown001')).display_output?.artifact_uri ?? '';
  let names = 0;
  return {
    root,
    server,
    notebook,
    tableUri,
    frameUri,
    freshName: () => `jobs-${++names}`,
    async dispose() {
      await server.dispose();
      await ssh?.dispose();
      silent.close();
      await index.close();
      await ai.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Another open notebook, whose environment is ready. */
export function anotherNotebook({ server, root }: RouteWorld, name: string): Promise<OpenNotebook> {
  return openNotebook(server, join(root, name), [{ id: 'a0000001', source: '1' }]);
}

/** Another open notebook for jobs of its environment, with a cell that has run. */
export async function notebookForJobs(world: RouteWorld): Promise<OpenNotebook> {
  const other = await anotherNotebook(world, world.freshName());
  await other.execute('a0000001');
  return other;
}

/** The path and query of a call; by default it addresses the world's notebook. */
export function pathOf({ notebook }: RouteWorld, name: RouteName, call: Call): string {
  const params: Record<string, string> = {
    sid: notebook.sid,
    cell_id: 'shown001',
    index: '0',
    ...call.params,
  };
  const path = ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const query = new URLSearchParams(call.query).toString();
  return query === '' ? path : `${path}?${query}`;
}
