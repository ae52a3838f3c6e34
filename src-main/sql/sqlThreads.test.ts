import { type ChildProcess, fork, type Serializable, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { readServerMessage, readShellMessage } from '../../src-shared/shell/handshake.ts';
import type { DriverName } from '../../src-shared/sql/dialect.ts';
import { createHostedProcesses, type HelperMessage } from '../cli/hostedProcesses.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { createHelpers } from '../shell/helpers.ts';
import type { ConnectSettings } from './driver.ts';
import { createSqlThreads, SqlAborted, type SqlAsker, type SqlThreads } from './sqlThreads.ts';
import { boundSql } from './testing/bound.ts';

const root = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-threads-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function settings(driver: DriverName, file: string): ConnectSettings {
  const keys = driver === 'sqlite' ? { path: file } : {};
  return { name: 'db', driver, keys, auth: {}, options: {}, notebookDir: root, mounts: {} };
}

function createDatabase(file: string): string {
  const database = new Database(join(root, file));
  database.exec('CREATE TABLE ev (id INTEGER); INSERT INTO ev VALUES (1), (2)');
  database.close();
  return file;
}

async function connect(
  threads: SqlThreads,
  of: ConnectSettings,
  access: 'read' | 'write',
  signal: AbortSignal,
) {
  const asker = await threads.begin(of, { access, signal });
  await asker.ask({ kind: 'connect', settings: of, access });
  return asker;
}

let files = 0;
const count = (asker: SqlAsker) =>
  asker.ask({
    kind: 'query',
    statements: [boundSql('SELECT sum(id) AS n FROM ev')],
    snapshot: null,
    file: join(root, `count-${files++}.arrow`),
  });

/** Queries that stay in native code and never return. */
const STUCK: readonly (readonly [driver: DriverName, sql: string])[] = [
  ['sqlite', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n'],
  [
    'duckdb',
    'SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE (a.range * b.range) % 7 = 3',
  ],
];

test.each(STUCK)('[SQ-34] a stopped query of %s leaves no running thread or process', async (driver, sql) => {
  const threads = createSqlThreads();
  const stop = new AbortController();
  const of = settings(driver, createDatabase(`stuck-${driver}.db`));
  const asker = await connect(threads, of, 'read', stop.signal);
  const answer = asker.ask({
    kind: 'query',
    statements: [boundSql(sql)],
    snapshot: null,
    file: join(root, `stuck-${driver}.arrow`),
  });
  const rejection = expect(answer).rejects.toThrow(SqlAborted);
  setImmediate(() => stop.abort());
  await rejection;
  await asker.close();
  await expect.poll(() => threads.running()).toBe(0);
  await threads.close();
});

test('[SQ-40] when the shell starts processes, a stopped query ends with its process', async () => {
  const listeners: ((listeners: HelperMessage) => void)[] = [];
  const children: ChildProcess[] = [];
  // The real code on both ends; a Node process in place of Electron's.
  const helpers = createHelpers(
    () => {
      const child = fork(join(import.meta.dirname, 'sqlProcess.ts'), {
        execArgv: [],
        serialization: 'advanced',
      });
      children.push(child);
      return {
        send: (message) => void child.send(message as Serializable, () => undefined), // questions and answers
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.once('exit', () => listener()),
        kill: () => void child.kill('SIGKILL'),
      };
    },
    (message) => {
      const parsed = readShellMessage(message);
      if (parsed?.type !== 'helper_said' && parsed?.type !== 'helper_gone')
        throw new Error('no news of a helper');
      for (const listener of listeners) listener(parsed);
    },
  );
  const processes = createHostedProcesses((message) => {
    const request = readServerMessage(message);
    if (
      request?.type !== 'helper_start' &&
      request?.type !== 'helper_say' &&
      request?.type !== 'helper_end'
    ) {
      throw new Error('no request for a helper');
    }
    helpers.heard(request);
  });
  listeners.push(processes.heard);
  const threads = createSqlThreads(processes);
  const of = settings('sqlite', createDatabase('hosted.db'));
  const first = await connect(threads, of, 'read', new AbortController().signal);
  expect((await count(first)).head).toEqual([[3n]]);
  await first.close();
  const stop = new AbortController();
  const asker = await connect(threads, of, 'read', stop.signal);
  const answer = asker.ask({
    kind: 'query',
    statements: [boundSql(STUCK[0]?.[1] ?? '')],
    snapshot: null,
    file: join(root, 'hosted.arrow'),
  });
  const rejection = expect(answer).rejects.toThrow(SqlAborted);
  setImmediate(() => stop.abort());
  await rejection;
  await asker.close();
  await expect.poll(() => threads.running()).toBe(0);
  expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  // Processes that the server leaves behind are ended too.
  const late = await connect(threads, of, 'read', new AbortController().signal);
  helpers.endAll();
  await expect.poll(() => children.at(-1)?.signalCode).toBe('SIGKILL');
  await late.close();
  await threads.close();
});

test('[SQ-34] a write that is stopped while it runs changes nothing, and the file can be read immediately', async () => {
  const threads = createSqlThreads();
  const of = settings('sqlite', createDatabase('write.db'));
  const stop = new AbortController();
  const writer = await connect(threads, of, 'write', stop.signal);
  const statements = [
    'PRAGMA cache_size = 10',
    'UPDATE ev SET id = id + 7',
    'INSERT INTO ev WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
  ].map((text) => boundSql(text));
  const rejection = expect(writer.ask({ kind: 'write', statements })).rejects.toThrow(SqlAborted);
  // Once pages are in the file, only its journal can undo them.
  const file = join(root, 'write.db');
  await expect.poll(() => statSync(file).size).toBeGreaterThan(1_000_000);
  stop.abort();
  await rejection;
  await writer.close();
  expect(existsSync(`${file}-journal`)).toBe(true);
  const reader = await connect(threads, of, 'read', new AbortController().signal);
  expect((await count(reader)).head).toEqual([[3n]]);
  await reader.close();
  await threads.close();
});

test('[SQ-34] the end of the program does not wait for a query', async () => {
  const threads = createSqlThreads();
  const of = settings('sqlite', createDatabase('end.db'));
  const asker = await connect(threads, of, 'read', new AbortController().signal);
  const [, stuck] = STUCK[0] ?? [];
  const answer = asker.ask({
    kind: 'query',
    statements: [boundSql(stuck ?? '')],
    snapshot: null,
    file: join(root, 'end.arrow'),
  });
  const rejection = expect(answer).rejects.toThrow('ended');
  await threads.close();
  await rejection;
  expect(threads.running()).toBe(0);
});

test('a later connection reuses the thread of an earlier one', async () => {
  const threads = createSqlThreads();
  const of = settings('sqlite', createDatabase('again.db'));
  for (let i = 0; i < 2; i += 1) {
    const asker = await connect(threads, of, 'read', new AbortController().signal);
    expect((await count(asker)).head).toEqual([[3n]]);
    await asker.close();
    expect(threads.running()).toBe(1);
  }
  await threads.close();
});

/** Starts a query that never returns, prints that, and waits. */
const SERVER = `
  const { createSqlThreads } = await import(process.argv[1]);
  const { boundSql } = await import(process.argv[2]);
  const settings = JSON.parse(process.argv[3]);
  const asker = await createSqlThreads().begin(settings, { access: 'read', signal: new AbortController().signal });
  await asker.ask({ kind: 'connect', settings, access: 'read' });
  process.stdout.write('asked');
  await asker.ask({ kind: 'query', statements: [boundSql(process.argv[4])], snapshot: null, file: process.argv[5] });
`;

// Other systems need a tool to list the children of a process.
test.skipIf(process.platform !== 'linux')('[SQ-34] when a server is killed, its queries end', async () => {
  const here = (file: string) => join(import.meta.dirname, file);
  const of = JSON.stringify(settings('sqlite', createDatabase('dies.db')));
  const args = [
    here('sqlThreads.ts'),
    here('testing/bound.ts'),
    of,
    STUCK[0]?.[1] ?? '',
    join(root, 'dies.arrow'),
  ];
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const [child] = childrenOf(server.pid ?? 0);
  if (child === undefined) throw new Error('the query runs in no process');
  server.kill('SIGKILL');
  await expect.poll(() => isAlive(child)).toBe(false);
});

function childrenOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

/** A process that has ended but was not waited for is still listed, as a zombie. */
function isAlive(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
