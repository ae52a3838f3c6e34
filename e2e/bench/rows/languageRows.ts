/**
 * Benchmark rows of SQL, prompt and widget cells on a real server: DuckDB and SQLite queries, a fake language model,
 * and a moved control.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startAiServer } from '../../../src-main/ai/testing/aiStandIn.ts';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../../support/openNotebook.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { type Group, repeat, timed } from '../row.ts';

const CONNECTIONS = `
[connections.mem]
driver = "duckdb"

[connections.notes]
driver = "sqlite"
path = "notes.db"
`;
const sql = (connection: string, i: number): string =>
  `# @sql connection=${connection}\nSELECT ${i} AS i, 'x' AS t`;
const ask = (i: number): string => `# @name answer\nSay ${i}.`;

/** Python and R cells have their own groups. */
export const languageRows: Group = {
  title: 'SQL, prompt and widget cells',
  async run(record, { smoke }) {
    const root = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(root, 'languages'), {
      toml: CONNECTIONS,
      cells: [
        { id: 'duck', language: 'sql', source: sql('mem', 0) },
        { id: 'lite', language: 'sql', source: sql('notes', 0) },
        { id: 'ask', language: 'prompt', source: ask(0) },
        { id: 'dial', language: 'widget', source: '# @live\nalpha = slider(0, 1000, default=0)' },
        { id: 'mid', source: 'double = alpha * 2' },
        { id: 'end', source: 'print(double)' },
      ],
    });
    new Database(join(path, 'notes.db')).exec('CREATE TABLE t (i INTEGER)').close();
    const ai = await startAiServer();
    const server = await startServerProcess({
      grants: [root],
      env: {
        SVC_AI_BASE_URL: `${ai.origin}/v1`,
        SVC_AI_API_KEY: 'a-key-of-the-bench',
        SVC_AI_MODEL: 'small-1',
      },
    });
    const open = await openNotebook(server, path);
    const count = smoke ? 5 : 15;
    const fresh = async (
      cell: string,
      source: (i: number) => string,
      before: () => void = () => undefined,
    ) => {
      const samples: number[] = [];
      for (let i = 1; i <= count; i++) {
        await open.edit(cell, source(i));
        before();
        samples.push(await timed(() => ready(open, cell)));
      }
      // The first run loads the driver and starts its thread or process.
      return samples.slice(1);
    };
    record('fresh DuckDB cell', await fresh('duck', (i) => sql('mem', i)));
    record('cached DuckDB cell', await repeat(count, () => ready(open, 'duck')));
    record('fresh SQLite cell', await fresh('lite', (i) => sql('notes', i)));
    record('prompt cell', await fresh('ask', ask, () => ai.next({ kind: 'text', text: 'Yes.' })));
    await ready(open, 'end');
    const live = await connectLive(server.url, open.sid);
    const moved = await repeat(count, async (i) => {
      const since = live.mark();
      live.send('widget_update', { cell_id: 'dial', values: { alpha: i + 1 } });
      const { payload } = await live.next('cell_output', {
        since,
        where: ({ cell_id }) => cell_id === 'end',
      });
      if (payload.stdout !== `${(i + 1) * 2}\n`) throw new Error(`the last cell printed ${payload.stdout}`);
    });
    record('control to the end', moved);
    await live.close();
    await open.close();
    await server.dispose();
    await ai.close();
    await rm(root, { recursive: true, force: true });
  },
};

async function ready(open: OpenNotebook, cell: string): Promise<void> {
  const { status, error } = await open.execute(cell);
  if (status !== 'ready') throw new Error(`${cell} is ${status}: ${error}`);
}
