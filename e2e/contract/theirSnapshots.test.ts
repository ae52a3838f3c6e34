/**
 * Snapshots that another program wrote, in the documented form but with hashes of its own, are imported into the built
 * server: it keeps their results and recomputes those that do not match.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzipped, zipped } from '../../src-main/convert/testing/zips.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { asTheirs } from '../support/theirSnapshot.ts';

const CELLS: readonly CellText[] = [
  { id: 'text', source: '# Hello', language: 'markdown' },
  { id: 'made', source: 'x = [1, 2]\nprint("made")' },
  { id: 'read', source: 'print("reading")\nlen(x)' },
  { id: 'nice', source: 'class P:\n    def _repr_markdown_(self):\n        return "**hi**"\nP()' },
  { id: 'func', source: 'def double(n):\n    return 2 * n' },
  { id: 'call', source: 'double(len(x))' },
  { id: 'knob', source: 'k = slider(0, 10, default=3)', language: 'widget' },
  { id: 'turn', source: 'k * 2' },
  { id: 'low', source: '# @variant g lo\ns = 1' },
  { id: 'high', source: '# @variant g hi\ns = 2' },
  { id: 'each', source: '# @per_variant\nt = s * 10' },
  { id: 'both', source: 't' },
  {
    id: 'kept',
    source: '# @name one\n# @sql connection=db\n# @cache forever\nselect 1 as n',
    language: 'sql',
  },
  { id: 'asks', source: '# @name two\n# @sql connection=db\nselect 2 as n', language: 'sql' },
  { id: 'fail', source: 'raise ValueError("no")' },
  { id: 'token', source: 'import os\nos.environ.get("API_TOKEN", "none")' },
  { id: 'loop', source: '# @loop max_iter=2 carry=x\nx = x + [len(x)]\nx' },
  { id: 'last', source: 'x[-1]' },
];
/** Statuses after the import of the cells that are not ready, with the reason. */
const NOT_READY: Readonly<Record<string, string>> = {
  fail: 'error',
  // Whether the data of the query is unchanged is only known after a check.
  asks: 'idle',
  // Its result may depend on a secret, which a snapshot does not contain.
  token: 'idle',
};

let root = '';
let server: ServerProcess;
let source: OpenNotebook;
let members: Map<string, Buffer>;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-theirs-'));
  const path = await writeNotebook(join(root, 'source'), {
    toml: '[env]\nAPI_TOKEN = ""\n[connections.db]\ndriver = "duckdb"\npath = ":memory:"\n[[variant_group]]\ngroup = "g"\nactive = ""\nmode = "sweep"',
    cells: CELLS,
  });
  source = await openNotebook(server, path);
  // Three versions of x; the newest equals the first.
  for (const x of ['[1, 2]', '[9]', '[1, 2]']) {
    await source.edit('made', `x = ${x}\nprint("made")`);
    await source.execute('read');
  }
  for (const { id, language } of CELLS) if (language !== 'markdown') await source.execute(id);
  const response = await fetch(`${server.url}/v1/notebooks/${source.sid}/export?fmt=snapshot&include=all`);
  members = asTheirs(await unzipped(Buffer.from(await response.arrayBuffer())));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** The snapshot as a new notebook, opened as after an import. */
async function importSnapshot(name: string, parts = members): Promise<OpenNotebook> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await zipped(parts))]), `${name}.snapshot.zip`);
  form.set('name', name);
  form.set('parent_path', root);
  const answer = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/import-snapshot', form);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return openNotebook(server, answer.body.path);
}

const statusesOf = async (notebook: OpenNotebook) => {
  const { body } = await notebook.get<{ cells: Cell[] }>('/cells');
  return Object.fromEntries(body.cells.map(({ id, status }) => [id, status]));
};

/** What a cell shows, without the addresses of stored values. */
function shown({ display_outputs, console_stdout, error }: Cell): unknown {
  const displays = display_outputs.map(({ artifact_uri, ...display }) => ({
    ...display,
    isKept: artifact_uri !== null,
  }));
  return { displays, console_stdout, error };
}

describe('a snapshot of another program', () => {
  it('[TR-80] keeps the results of its ready cells, what they show and print, and its errors', async () => {
    const notebook = await importSnapshot('theirs');
    const expected = CELLS.map(({ id }) => [id, NOT_READY[id] ?? 'ready']);
    expect(await statusesOf(notebook)).toEqual(Object.fromEntries(expected));
    for (const { id } of CELLS) {
      expect(shown(await notebook.cell(id)), id).toEqual(shown(await source.cell(id)));
    }
    for (const id of ['made', 'read', 'nice', 'func', 'call', 'turn', 'each', 'both', 'loop', 'last'])
      expect([id, (await notebook.execute(id)).cache_hit]).toEqual([id, true]);
    await notebook.close();
    const again = await openNotebook(server, notebook.path);
    expect(await statusesOf(again)).toEqual(Object.fromEntries(expected));
  });

  it('[TR-81] its results are hits only for the inputs they were computed from', async () => {
    const notebook = await importSnapshot('edited');
    await notebook.edit('made', 'x = [1, 2, 3]\nprint("made")');
    expect(await statusesOf(notebook)).toMatchObject({ made: 'idle', read: 'stale', call: 'stale' });
    expect((await notebook.execute('call')).display?.preview).toBe(6);
    await notebook.edit('made', 'x = [1, 2]\nprint("made")');
    expect((await notebook.execute('call')).display?.preview).toBe(4);
    await notebook.edit('func', 'def double(n):\n    return 3 * n');
    expect((await notebook.execute('call')).display?.preview).toBe(6);
  });

  const changes: readonly (readonly [what: string, change: (text: string) => string, file: string])[] = [
    ['was computed from another value than the stored one', readSecondVersion, 'artifacts.json'],
    ['is not stored under the key of its run', withOtherKeys, 'artifacts.json'],
    ['belongs to another source', (text) => withSource(text, 'a'.repeat(64)), 'provenance.json'],
    [
      'was already stale',
      (text) => text.replace(/("read":\{"status":)"ready"/, '$1"stale"'),
      'artifacts.json',
    ],
  ];
  it.each(changes)('[TR-82] a result that %s is recomputed', async (what, change, file) => {
    const text = String(members.get(file));
    const changed = change(text);
    expect(changed).not.toBe(text);
    const notebook = await importSnapshot(
      what.slice(0, 12),
      new Map(members).set(file, Buffer.from(changed)),
    );
    expect(await statusesOf(notebook)).toMatchObject({ made: 'ready', read: 'idle', call: 'ready' });
    expect(await notebook.execute('read')).toMatchObject({ cache_hit: false, display: { preview: 2 } });
  });
});

interface Records {
  readonly records: Record<string, { id: string; input_versions: string; provenance_hash: string }>;
}

/** Changes the records of `read` so that their input is the second version of x. */
function readSecondVersion(text: string): string {
  const manifest = JSON.parse(text) as Records; // the shape that this test exported
  for (const record of Object.values(manifest.records)) {
    if (!record.id.includes('_cell_read_')) continue;
    record.input_versions = record.input_versions.replaceAll(/@v=\d+/g, '@v=2');
  }
  return JSON.stringify(manifest);
}

function withOtherKeys(text: string): string {
  const manifest = JSON.parse(text) as Records; // the shape that this test exported
  for (const record of Object.values(manifest.records)) {
    if (record.id.includes('_cell_read_'))
      record.provenance_hash = record.provenance_hash.replaceAll('a', 'b');
  }
  return JSON.stringify(manifest);
}

function withSource(text: string, hash: string): string {
  const record = JSON.parse(text) as { cells: Record<string, { source_hash: string }> }; // as exported
  const { read } = record.cells;
  if (read !== undefined) read.source_hash = hash;
  return JSON.stringify(record);
}
