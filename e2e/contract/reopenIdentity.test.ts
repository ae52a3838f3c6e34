/**
 * Tests which cells are ready when another session opens a notebook, by the recorded provenance and identity of their
 * runs.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import { type SnapshotManifest, snapshotManifest } from '../../src-main/convert/snapshot/manifest.ts';
import { unzipped } from '../../src-main/convert/testing/zips.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { openReady, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let ai: AiServer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-reopen-'));
  ai = await startAiServer(() => ({ kind: 'text', text: 'Well.' }));
  server = await startServerProcess({
    grants: [root],
    env: { SVC_AI_BASE_URL: `${ai.origin}/v1`, SVC_AI_API_KEY: 'server-key-0123456789', SVC_AI_MODEL: 'm-1' },
  });
});
afterAll(async () => {
  await server?.dispose();
  await ai?.close();
  await rm(root, { recursive: true, force: true });
});

const TOML = '\n[connections.db]\ndriver = "sqlite"\npath = "ev.db"\n';

type Row = readonly [cell: CellText, hasIdentity: boolean, reopened: string];
const sql = (id: string, lines: string): CellText => ({
  id,
  language: 'sql',
  source: `# @name ${id}\n# @sql connection=db${lines}`,
});
const ROWS: readonly Row[] = [
  [{ id: 'w', language: 'widget', source: 'alpha = slider(0, 1, default=0.5)' }, true, 'ready'],
  [{ id: 'code', source: 'x = alpha' }, false, 'ready'],
  [{ id: 'p', language: 'prompt', source: '# @name ans\n# @system Be brief\nSay {{ x }}' }, true, 'ready'],
  [{ id: 'never', language: 'prompt', source: '# @name nev\n# @nocache\nSay it' }, true, 'ready'],
  [sql('q_looked', '\nSELECT v FROM ev'), false, 'idle'],
  [sql('q_nocache', '\n# @nocache\nSELECT v FROM ev'), false, 'idle'],
  [sql('q_ever', '\n# @cache forever\nSELECT v FROM ev'), true, 'ready'],
  [sql('q_session', '\n# @cache session\nSELECT v FROM ev'), true, 'idle'],
  // The next time window of this ttl begins in 2096.
  [sql('q_ttl', '\n# @cache ttl=4000000000\nSELECT v FROM ev'), true, 'ready'],
  [sql('q_write', ' write=true\nINSERT INTO ev VALUES (2)'), true, 'idle'],
  [{ id: 'reads', source: 'rows = q_ttl.num_rows' }, false, 'ready'],
];
const IDS = ROWS.map(([{ id }]) => id);
const AFTER = Object.fromEntries(ROWS.map(([{ id }, , reopened]) => [id, reopened]));

async function ran(): Promise<OpenNotebook> {
  const dir = await writeNotebook(join(root, 'all'), {
    cells: ROWS.map(([cell]) => cell),
    toml: TOML,
    dependencies: ['pyarrow>=18.0.0'],
  });
  const database = new Database(join(dir, 'ev.db'));
  database.exec('CREATE TABLE ev (v REAL); INSERT INTO ev VALUES (1.5)');
  database.close();
  const open = await openNotebook(server, dir);
  for (const id of IDS) expect([id, (await open.execute(id)).error]).toEqual([id, null]);
  return open;
}

const statusesOf = (body: Pick<SessionStateBody, 'cells'>) =>
  Object.fromEntries(body.cells.map(({ id, status }) => [id, status]));

async function manifestOf(members: ReadonlyMap<string, Buffer>): Promise<SnapshotManifest> {
  return snapshotManifest.parse(JSON.parse(members.get('artifacts.json')?.toString('utf8') ?? ''));
}

it('[ST-12] [TR-28] another session accepts recorded provenance and reopen identity, also in a snapshot', async () => {
  const open = await ran();
  const exported = async (session: string) => {
    const response = await fetch(`${server.url}/v1/notebooks/${session}/export?fmt=snapshot&include=all`);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes, manifest: await manifestOf(await unzipped(bytes)) };
  };
  const { bytes, manifest } = await exported(open.sid);
  const identities = Object.fromEntries(IDS.map((id) => [id, manifest.cells[id]?.reopen_identity]));
  expect(identities).toEqual(
    Object.fromEntries(
      ROWS.map(([{ id }, has]) => [id, has ? expect.stringMatching(/^[0-9a-f]{64}$/) : null]),
    ),
  );
  await open.close();
  const again = await openReady(server.url, open.path);
  expect(statusesOf(again)).toEqual(AFTER);
  await rest(server.url, 'POST', `/v1/notebooks/${again.session_id}/close`);
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'Elsewhere.snapshot.zip');
  form.set('parent_path', root);
  const imported = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/import-snapshot', form);
  expect(imported.status).toBe(200);
  const there = await openReady(server.url, imported.body.path);
  expect(statusesOf(there)).toEqual(AFTER);
  expect((await exported(there.session_id)).manifest.cells).toMatchObject(
    Object.fromEntries(IDS.map((id) => [id, { reopen_identity: identities[id] }])),
  );
});
