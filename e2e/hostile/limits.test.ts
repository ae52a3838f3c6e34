/**
 * Tests hostile folders, stored tables, snapshots and uploads on the built server: it answers with a message, its
 * memory stays small, and it serves other requests.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  Field,
  Int32,
  makeData,
  Null,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG } from '../support/longRun.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { closeWhenSettled, openReady, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { storeTableBytes } from '../support/storedTable.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-limits-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [{ id: 'make0001', source: 'values = list(range(5000))' }];
const GONE = { pid: 2 ** 22 - 1, host: '', startedAt: '', processStart: '1' };

interface HostileFolder {
  readonly name: string;
  /** Paths in the notebook with their content. */
  readonly files: Readonly<Record<string, string | { readonly link: string } | 'a pipe'>>;
  /** The message of the refusal; null if the notebook opens. */
  readonly refused: RegExp | null;
}

const lock = (token: string): string => JSON.stringify({ ...GONE, token });
const FOLDERS: readonly HostileFolder[] = [
  {
    name: 'a lock that is a dangling link',
    files: { '.svc/writer.lock': { link: '/nowhere/x' } },
    refused: null,
  },
  {
    name: 'a lock that is a link to itself',
    files: { '.svc/writer.lock': { link: 'writer.lock' } },
    refused: null,
  },
  {
    name: 'locks that form a cycle',
    files: {
      '.svc/writer.lock': lock('A'),
      '.svc/writer.lock.after-A': lock('B'),
      '.svc/writer.lock.after-B': lock('A'),
    },
    refused: null,
  },
  { name: 'an empty lock', files: { '.svc/writer.lock': '' }, refused: null },
  {
    name: 'a pipe in place of the lock',
    files: { '.svc/writer.lock': 'a pipe' },
    refused: /is not a lock that Cellar made/,
  },
  {
    name: 'a pipe in place of pyproject.toml',
    files: { 'pyproject.toml': 'a pipe' },
    refused: /not a plain file/,
  },
  {
    name: 'a link to a device in place of pyproject.toml',
    files: { 'pyproject.toml': { link: '/dev/zero' } },
    refused: null,
  },
  {
    name: 'a link to a device in place of runtime.json',
    files: { '.svc/runtime.json': { link: '/dev/zero' } },
    refused: null,
  },
  {
    name: 'a TOML key of twenty thousand parts',
    files: { 'notebook.toml': `notebook_id = "deep"\nname = "deep"\n[a${'.a'.repeat(20_000)}]\nx = 1\n` },
    refused: /100 levels deep/,
  },
];

describe('hostile folders', () => {
  for (const [i, { name, files, refused }] of FOLDERS.entries()) {
    it(`[SG-46] a folder with ${name} gets an answer, and so do other requests`, async () => {
      const dir = await writeNotebook(join(root, `folder${i}`), { cells: CELLS });
      for (const [file, content] of Object.entries(files)) {
        const path = join(dir, file);
        await mkdir(dirname(path), { recursive: true });
        await rm(path, { force: true });
        if (content === 'a pipe') execFileSync('mkfifo', [path]);
        else if (typeof content === 'object') await symlink(content.link, path);
        else await writeFile(path, content);
      }
      const [opened, health] = await Promise.all([
        rest<{ detail: unknown }>(server.url, 'POST', '/v1/notebooks/open', { path: dir }),
        rest(server.url, 'GET', '/health'),
      ]);
      expect(health.status).toBe(200);
      if (refused === null) expect(opened.status).toBe(200);
      else {
        expect([400, 409]).toContain(opened.status);
        expect(JSON.stringify(opened.body.detail)).toMatch(refused);
      }
    });
  }
});

/** An Arrow stream of one record batch. */
function stream(
  fields: readonly Field[],
  rows: number,
  values: (at: number) => ReturnType<typeof makeData>,
): Buffer {
  const schema = new Schema([...fields]);
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows,
    children: fields.map((_, at) => values(at)),
  });
  return Buffer.from(RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true));
}

const nulls = (rows: number): Buffer =>
  stream([new Field('x', new Null(), true)], rows, () => makeData({ type: new Null(), length: rows }));
const numbers = (columns: number, rows: number): Buffer =>
  stream(
    Array.from({ length: columns }, (_, at) => new Field(`c${at}`, new Int32(), false)),
    rows,
    (at) =>
      makeData({
        type: new Int32(),
        length: rows,
        data: Int32Array.from({ length: rows }, (_, row) => at + row),
      }),
  );
/** A copy in which the four bytes at this fraction of its length are the number 2,000,000,000. */
function withHugeCount(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeInt32LE(2_000_000_000, Math.floor(copy.length * at) & ~3);
  return copy;
}

const TABLES: readonly { readonly name: string; readonly bytes: () => Buffer }[] = [
  { name: '2,000,000,000 nulls in a few bytes', bytes: () => nulls(2_000_000_000) },
  ...[0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map((at) => ({
    name: `a count of 2,000,000,000 at ${at} of the length`,
    bytes: () => withHugeCount(numbers(8, 20), at),
  })),
  { name: 'bytes that are no table', bytes: () => Buffer.alloc(5_000, 0xff) },
  { name: 'a truncated table', bytes: () => numbers(20, 100).subarray(0, 3_000) },
];

describe('hostile stored tables', () => {
  it('[SG-46] every route answers for each of them, and the server’s memory stays small', async () => {
    const dir = join(root, 'tables');
    const first = await openNotebook(server, dir, CELLS);
    await first.execute('make0001');
    await first.close();
    const uris: string[] = [];
    for (const [at, { bytes }] of TABLES.entries())
      uris.push(await storeTableBytes(dir, { cell: 'make0001', label: `t${at}`, bytes: bytes() }));
    const { sid } = await openNotebook(server, dir);
    const cell = `/v1/notebooks/${sid}/cells/make0001`;
    for (const [at, uri] of uris.entries()) {
      const name = TABLES[at]?.name;
      const query = `artifact_uri=${encodeURIComponent(uri)}`;
      const answers = await Promise.all(
        [
          `data?${query}`,
          `data?${query}&sort_by=x`,
          `data/summary?${query}`,
          `data/distribution?${query}`,
          `data/export?${query}&fmt=csv`,
          `data/export?${query}&fmt=parquet`,
        ].map(async (route) => ({ route, answer: await rest(server.url, 'GET', `${cell}/${route}`) })),
      );
      for (const { route, answer } of answers)
        expect(
          [200, 400, 404, 422],
          `${name}: ${route.split('?')[0]} ${JSON.stringify(answer.body)}`,
        ).toContain(answer.status);
      expect((await rest(server.url, 'GET', '/health')).status).toBe(200);
    }
    expect(peakMemory(server.pid)).toBeLessThan(1024);
  });

  /** As many as a page may take; a normal run has enough that work for each pair of columns would be noticed. */
  const COLUMNS = IS_LONG ? 20_000 : 5_000;
  it(`[SG-46] a table of ${COLUMNS} columns is paged`, async () => {
    const dir = join(root, 'wide');
    const first = await openNotebook(server, dir, CELLS);
    await first.execute('make0001');
    await first.close();
    const uri = await storeTableBytes(dir, { cell: 'make0001', label: 'wide', bytes: numbers(COLUMNS, 5) });
    const { sid } = await openNotebook(server, dir);
    const page = await rest<{ columns: string[]; rows: number[][] }>(
      server.url,
      'GET',
      `/v1/notebooks/${sid}/cells/make0001/data?artifact_uri=${encodeURIComponent(uri)}`,
    );
    expect(page.status).toBe(200);
    expect([page.body.columns.length, page.body.rows[4]?.[COLUMNS - 1]]).toEqual([COLUMNS, COLUMNS + 3]);
  });
});

/** The peak memory of a process, in megabytes; 0 if the system does not report it. */
function peakMemory(pid: number): number {
  const path = `/proc/${pid}/status`;
  return existsSync(path) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024 : 0;
}

describe('hostile results', () => {
  it('[SG-47] a result whose bytes were changed is not used: its cell runs again', async () => {
    const dir = join(root, 'flipped');
    const first = await openNotebook(server, dir, CELLS);
    await first.execute('make0001');
    await first.close();
    const blobs = join(dir, '.svc/artifacts/blobs');
    for (const name of await readdir(blobs)) {
      const bytes = await readFile(join(blobs, name));
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(join(blobs, name), bytes);
    }
    const again = await openNotebook(server, dir);
    expect(await again.execute('make0001')).toMatchObject({ status: 'ready', cache_hit: false });
    expect(await again.execute('make0001')).toMatchObject({ status: 'ready', cache_hit: true });
    await again.close();
  });

  it('[SG-46] the server does not wait for a pipe or a device in place of stored bytes', async () => {
    const dir = join(root, 'pipes');
    const first = await openNotebook(server, dir, CELLS);
    await first.execute('make0001');
    await first.close();
    const blobs = join(dir, '.svc/artifacts/blobs');
    for (const [at, name] of (await readdir(blobs)).entries()) {
      await rm(join(blobs, name));
      if (at % 2 === 0) execFileSync('mkfifo', [join(blobs, name)]);
      else await symlink('/dev/zero', join(blobs, name));
    }
    const again = await openNotebook(server, dir);
    expect(await again.execute('make0001')).toMatchObject({ status: 'ready', cache_hit: false });
    await again.close();
  });
});

/** A zip whose directory lists this many empty files. */
function emptyFiles(count: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (let n = 0; n < count; n += 1) {
    const name = Buffer.from(`cells/${String(n).padStart(8, '0')}.py`);
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    name.copy(local, 30);
    const central = Buffer.alloc(46 + name.length);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    name.copy(central, 46);
    parts.push(local);
    directory.push(central);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entries, end]);
}

describe('hostile snapshots', () => {
  it('[SG-46] a snapshot of 60,000 files is refused when its directory is read', async () => {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(emptyFiles(60_000))]), 'many.zip');
    form.set('name', 'many');
    form.set('parent_path', root);
    const answer = await rest<{ detail: string }>(server.url, 'POST', '/v1/notebooks/import-snapshot', form);
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      expect.stringMatching(/60000 files, more than the limit of 20000/),
    ]);
    expect(await litterIn(server.storageDir)).toEqual([]);
  });
});

async function litterIn(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => /^\.svc-(upload|new|tmp)-/.test(name));
}

describe('a server that is killed', () => {
  it('[SG-45] during uploads leaves no files behind after the next start', async () => {
    const own = await startServerProcess();
    const head = [
      'POST /v1/notebooks/import-snapshot HTTP/1.1',
      `Host: 127.0.0.1:${own.port}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000',
      '',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK',
    ].join('\r\n');
    const uploads = Array.from({ length: 5 }, () => connect(own.port, '127.0.0.1'));
    for (const upload of uploads) upload.on('error', () => undefined).write(head);
    await expect.poll(() => litterIn(own.storageDir)).toHaveLength(5);
    await own.stop('SIGKILL');
    for (const upload of uploads) upload.destroy();
    const next = await startServerProcess({ storageDir: own.storageDir });
    await expect.poll(() => litterIn(own.storageDir)).toEqual([]);
    await next.dispose();
  });
});

describe('the memory of a server', () => {
  it('[SG-43] is released after notebooks are opened and closed', {
    timeout: IS_LONG ? 900_000 : 120_000,
  }, async ({ skip }) => {
    if (peakMemory(process.pid) === 0) return skip('only /proc shows how much memory another process has');
    const own = await startServerProcess({ grants: [root] });
    const dir = await writeNotebook(join(root, 'often'), { cells: CELLS });
    const cycle = async (): Promise<void> => {
      const { session_id } = await openReady(own.url, dir);
      expect((await closeWhenSettled(own.url, session_id)).status).toBe(200);
    };
    await cycle();
    const idle = memory(own.pid);
    const cycles = IS_LONG ? 900 : 25;
    for (let n = 0; n < cycles; n += 1) await cycle();
    await expect.poll(() => memory(own.pid) / idle, { timeout: 60_000 }).toBeLessThan(1.3);
    await own.dispose();
  });
});

function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
