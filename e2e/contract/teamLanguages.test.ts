/**
 * SQL and prompt cells on two built servers that share a third one's artifact store (docs/soundness.md): which results
 * the second server uses, and the reason why others are not shared.
 */

import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import type { Explanation } from '../../src-shared/wire/routes/extensions.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const CONNECTIONS = `
[connections.mem]
driver = "duckdb"

[connections.file]
driver = "sqlite"
path = "ev.db"
`;

interface Row {
  readonly cells: readonly CellText[];
  /** Why the last cell is not shared; if absent, the second server uses its result. */
  readonly refused?: string;
}

const sql = (id: string, source: string): CellText => ({
  id,
  source: `# @sql connection=mem\n${source}`,
  language: 'sql',
});
const frame = { id: 'frame', source: "import json\nlimit = 2\nrows = {'a': 1}" };

const ROWS: Readonly<Record<string, Row>> = {
  'SQL over values': { cells: [frame, sql('bound', '# @name bound\nSELECT :limit + 1 AS n')] },
  'SQL alone': { cells: [sql('alone', '# @name alone\nSELECT 42 AS n')] },
  'SQL over a file': { cells: [sql('csv', "# @name csv\nSELECT * FROM 'same.csv'")], refused: 'same.csv' },
  'SQL over a database': {
    cells: [
      { id: 'base', source: '# @sql connection=file\n# @name base\nSELECT * FROM ev', language: 'sql' },
    ],
    refused: 'the database of the connection file',
  },
  'SQL cached for the session': {
    cells: [sql('brief', '# @name brief\n# @cache session\nSELECT 7 AS n')],
    refused: 'only valid for a time',
  },
  'SQL that reads a setting of the database': {
    cells: [sql('zone', "# @name zone\nSELECT current_setting('threads') AS n")],
    refused: 'current_setting',
  },
  'a prompt': { cells: [{ id: 'ask', source: '# @name ask\nSum it up', language: 'prompt' }] },
  'a prompt over values': {
    cells: [{ id: 'about', source: '# @name about\nWhat is {{ limit }}?', language: 'prompt' }],
  },
};

let root = '';
let ai: AiServer;
let team: ServerProcess;
let server: ServerProcess;
let asked = 0;
const first = new Map<string, ExecutionResult>();
const second = new Map<string, ExecutionResult>();
const reasons = new Map<string, string | undefined>();
const cells = Object.values(ROWS).flatMap((row) => row.cells);

const start = () =>
  startServerProcess({
    grants: [root],
    env: {
      SVC_NOTEBOOK_REMOTE_STORE_URL: team.url,
      SVC_NOTEBOOK_TEAM_CACHE_ENABLED: 'true',
      // Lookups may be slow while other tests run.
      SVC_NOTEBOOK_TEAM_CACHE_LOOKUP_MS: '60000',
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'a-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    },
  });

async function runAll(open: OpenNotebook, results: Map<string, ExecutionResult>): Promise<void> {
  for (const { id } of cells) results.set(id, await open.execute(id));
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-team-languages-')));
  [ai, team] = await Promise.all([startAiServer(), startServerProcess()]);
  const [a, b] = [join(root, 'a'), join(root, 'b')];
  await writeReadyNotebook(a, { cells, toml: CONNECTIONS });
  await writeFile(join(a, 'same.csv'), 'a\n1\n');
  const database = new Database(join(a, 'ev.db'));
  database.exec('CREATE TABLE ev (id INTEGER); INSERT INTO ev VALUES (1)');
  database.close();
  await cp(a, b, { recursive: true, preserveTimestamps: true });
  const one = await start();
  const open = await openNotebook(one, a);
  for (const words of ['six', 'two']) ai.next({ kind: 'text', text: words });
  await runAll(open, first);
  asked = ai.asked.length;
  for (const { id } of cells) {
    reasons.set(id, (await open.get<Explanation>(`/x/cells/${id}/explain`)).body.not_shared);
  }
  // A stopping server first uploads its remaining results.
  await one.stop();
  server = await start();
  await runAll(await openNotebook(server, b), second);
});

afterAll(async () => {
  await server?.dispose();
  await team?.dispose();
  await ai?.close();
  await rm(root, { recursive: true, force: true });
});

describe('[RG-33] a second server with the same team’s cache', () => {
  it.each(Object.entries(ROWS))('%s', (_what, { cells: of, refused }) => {
    const id = of.at(-1)?.id ?? '';
    const [there, here] = [first.get(id), second.get(id)];
    expect([there?.status, there?.error, here?.status, here?.error]).toEqual(['ready', null, 'ready', null]);
    expect([id, here?.from_team_cache]).toEqual([id, refused === undefined]);
    if (refused === undefined) expect(reasons.get(id)).toBeUndefined();
    else expect(reasons.get(id)).toContain(refused);
    const shown = (result?: ExecutionResult) =>
      result?.displays.map(({ preview, markdown_text }) => [preview, markdown_text]);
    expect(shown(here)).toEqual(shown(there));
  });

  it('asks the model only once', () => {
    expect([asked, ai.asked.length]).toEqual([2, 2]);
  });
});
