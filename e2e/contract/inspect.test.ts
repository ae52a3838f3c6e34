/**
 * Tests the console inside a cell over the live protocol of a real server: values, completions, bad input, and no
 * process left.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-inspect-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const CELLS = [
  { id: 'make', source: 'trips = list(range(50))\nname = "x"' },
  { id: 'read', source: 'total = sum(trips)\nunread = 1\ntrips[:3]' },
  { id: 'last', source: 'total' },
  { id: 'text', source: '# Title', language: 'markdown' as const },
];

/** A live client that sends requests to consoles, each after the answer to the one before. */
interface ConsoleClient {
  readonly live: LiveClient;
  open(cell: string): Promise<ServerPayload<'inspect_result'>>;
  ask(cell: string, expr: string): Promise<ServerPayload<'inspect_result'>>;
  close(cell: string): Promise<ServerPayload<'inspect_result'>>;
}

async function asking({ sid }: OpenNotebook, url = server.url): Promise<ConsoleClient> {
  const live = await connectLive(url, sid, '?extensions=1');
  const answer = async (action: string, type: Parameters<LiveClient['send']>[0], payload: object) => {
    const since = live.mark();
    live.send(type, { ...payload });
    const where = (result: ServerPayload<'inspect_result'>): boolean => result.action === action;
    return (await live.next('inspect_result', { since, where })).payload;
  };
  return {
    live,
    open: (cell_id) => answer('open', 'inspect_open', { cell_id }),
    ask: (cell_id, expr) => answer('eval', 'inspect_eval', { cell_id, expr }),
    close: (cell_id) => answer('close', 'inspect_close', { cell_id }),
  };
}

async function notebook(
  name: string,
  cells: Parameters<typeof openNotebook>[2] = CELLS,
): Promise<OpenNotebook> {
  const opened = await openNotebook(server, join(root, name), cells);
  return opened;
}

function results(live: LiveClient, since: number): readonly string[] {
  return live.frames
    .slice(since)
    .flatMap(({ type, payload }) => (type === 'inspect_result' ? [`${payload.action} ${payload.ok}`] : []));
}

function processesOf(marker: string): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(marker) && !line.includes('ps -eo'));
}

describe('a console through a server', () => {
  it('[IN-1] [IN-2] [IN-5] opens with the cell’s values, evaluates expressions, and changes no stored value', async () => {
    const own = await notebook('worked');
    await own.execute('last');
    const before = await own.cell('read');
    const console = await asking(own);
    expect(await console.open('read')).toEqual({
      cell_id: 'read',
      action: 'open',
      ok: true,
      result: 'ready',
      type: 'str',
      missing: [{ name: 'unread', reason: expect.stringMatching(/no cell below reads it/) }],
    });
    const { duration_ms, ...summed } = await console.ask('read', 'sum(trips) + total');
    expect(summed).toEqual({
      cell_id: 'read',
      action: 'eval',
      expr: 'sum(trips) + total',
      ok: true,
      result: '2450',
      type: 'int',
    });
    expect(duration_ms).toBeGreaterThanOrEqual(0);
    expect(await console.ask('read', 'trips[:2]')).toMatchObject({ result: '[0, 1]', type: 'list' });
    expect(await console.ask('read', 'display(Markdown("# T"))')).toMatchObject({
      displays: [{ content_type: 'text/markdown', markdown_text: '# T', artifact_uri: null }],
    });
    expect(await console.ask('read', '_')).toMatchObject({ type: 'list' });
    expect(await console.ask('read', 'trips[0] = 9; total = 7; print(total)')).toMatchObject({
      ok: true,
      result: '7\n',
      stdout: '7\n',
      statement: true,
    });
    expect(await own.cell('read')).toEqual(before);
    expect((await own.execute('last')).cache_hit).toBe(true);
    expect(await console.close('read')).toEqual({
      cell_id: 'read',
      action: 'close',
      ok: true,
      result: 'closed',
      type: 'str',
    });
    expect(await console.ask('read', '1')).toMatchObject({ ok: false, error: /No console is open/ });
    expect((await readdir(join(own.path, '.svc/tmp'))).length).toBe(0);
    await console.live.close();
  });

  it('[IN-1] every frame of a socket is answered, in order, even if the console is immediately closed or reopened', async () => {
    const own = await notebook('hasty');
    const [one, two] = await Promise.all([asking(own), asking(own)]);
    const typesSince = async ({ live }: ConsoleClient, since: number, count: number) => {
      await expect.poll(() => results(live, since)).toHaveLength(count);
      return results(live, since);
    };
    const since = one.live.mark();
    one.live.send('inspect_open', { cell_id: 'read' });
    one.live.send('inspect_eval', { cell_id: 'read', expr: '1+1' });
    one.live.send('inspect_close', { cell_id: 'read' });
    expect(await typesSince(one, since, 3)).toEqual(['open false', 'eval false', 'close true']);
    const [mine, theirs] = [one.live.mark(), two.live.mark()];
    one.live.send('inspect_open', { cell_id: 'read' });
    two.live.send('inspect_open', { cell_id: 'read' });
    expect((await Promise.all([typesSince(one, mine, 1), typesSince(two, theirs, 1)])).flat().sort()).toEqual(
      ['open false', 'open true'],
    );
    await Promise.all([one.live.close(), two.live.close()]);
  });

  it('[IN-5] a console opens without the values that are missing and names them, and has the cell’s last display', async () => {
    const own = await notebook('missing');
    const console = await asking(own);
    expect((await console.open('read')).missing?.map(({ name }) => name)).toEqual([
      'trips',
      'total',
      'unread',
    ]);
    expect(await console.ask('read', 'trips')).toMatchObject({ ok: false, error: /NameError/ });
    await own.execute('last');
    await console.open('read');
    expect(await console.ask('read', 'len(_)')).toMatchObject({ result: '3' });
    await rm(join(own.path, '.svc/artifacts/blobs'), { recursive: true });
    const opened = await console.open('read');
    expect(opened).toMatchObject({ ok: true });
    expect(opened.missing?.find(({ name }) => name === 'trips')?.reason).toMatch(
      /Run the cell that creates it again\./,
    );
    await console.live.close();
  });

  it('[IN-5] mounts, tables and fetched files are available; missing ones are named', async () => {
    const dir = join(root, 'outside');
    await mkdir(join(dir, 'data'), { recursive: true });
    await writeFile(join(dir, 'data/x.csv'), 'a,b');
    const page = createServer((_request, response) => response.end('fetched text'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/page.txt`;
    const source = [
      '# @mount raw file://./data',
      '# @mount out file://./made rw',
      '# @mount gone file://./nowhere',
      `# @fetch page ${url}`,
      '# @table trips lake.trips snapshot=9007199254740993',
      'seen = raw',
    ].join('\n');
    const own = await openNotebook(server, dir, [{ id: 'uses', source }]);
    const console = await asking(own);
    const opened = await console.open('uses');
    expect(opened.missing).toEqual([
      { name: 'seen', reason: 'The cell has not run yet.' },
      { name: 'gone', reason: `The mount \`gone\` cannot be used. There is no ${join(dir, 'nowhere')}.` },
    ]);
    expect((await console.ask('uses', "(raw / 'x.csv').read_text()")).result).toBe("'a,b'");
    expect((await console.ask('uses', 'out.is_dir(), page.read_text()')).result).toBe(
      "(True, 'fetched text')",
    );
    expect((await console.ask('uses', 'trips, trips_snapshot')).result).toBe(
      "('lake.trips', 9007199254740993)",
    );
    expect((await own.cell('uses')).status).toBe('idle');
    await console.close('uses');
    await console.live.close();
    page.closeAllConnections();
    await new Promise((resolve) => page.close(resolve));
  });

  it('[IN-11] completions come from the console’s process, and there are none while it evaluates', async () => {
    const own = await notebook('names');
    await own.execute('last');
    const console = await asking(own);
    const { live } = console;
    await console.open('read');
    const complete = async (text: string): Promise<readonly string[]> => {
      const since = live.mark();
      live.send('inspect_complete', { cell_id: 'read', text });
      const { payload } = await live.next('inspect_completions', { since });
      expect(payload).toMatchObject({ cell_id: 'read', asked: text });
      return payload.names;
    };
    expect(await complete('tri')).toEqual(['trips']);
    expect(await complete('sum(trips.in')).toEqual(['index', 'insert']);
    await console.ask('read', 'import os');
    expect(await complete('os.path.basen')).toEqual(['basename']);
    expect(await complete('tot')).toEqual(['total']);
    expect(await complete('nobody.x')).toEqual([]);
    expect(await complete('trips[0].')).toEqual([]);
    // Listing the names of a value is interrupted if it never ends, and no value is lost.
    await console.ask('read', 'class Slow:\n    def __dir__(self):\n        while True: pass\nslow = Slow()');
    expect(await complete('slow.')).toEqual([]);
    await console.ask(
      'read',
      'class Loud:\n    def __dir__(self):\n        print("noise"); raise OSError\nloud = Loud()',
    );
    expect(await complete('loud.')).toEqual([]);
    expect(await console.ask('read', 'total')).toMatchObject({ ok: true, result: '1225', type: 'int' });
    expect((await console.ask('read', 'total')).stdout).toBeUndefined();
    const since = live.mark();
    live.send('inspect_eval', { cell_id: 'read', expr: 'while True: pass' });
    expect(await complete('tri')).toEqual([]);
    live.send('inspect_interrupt', { cell_id: 'read' });
    expect((await live.next('inspect_result', { since })).payload).toMatchObject({ error: 'Stopped.' });
    await live.close();
  });

  it('[IN-1] frames with a missing field are ignored, unknown cells and text cells are refused', async () => {
    const console = await asking(await notebook('fields'));
    for (const type of [
      'inspect_open',
      'inspect_eval',
      'inspect_complete',
      'inspect_close',
      'inspect_interrupt',
    ] as const) {
      console.live.send(type, {});
    }
    console.live.send('inspect_eval', { cell_id: 'make' });
    expect(await console.close('make')).toMatchObject({ ok: true });
    expect(console.live.frames.some(({ type }) => type === 'error')).toBe(false);
    const since = console.live.mark();
    console.live.send('inspect_open', { cell_id: 'nobody' });
    expect((await console.live.next('error', { since })).payload.error).toBe('Cell not found');
    expect(await console.open('text')).toMatchObject({ ok: false, result: /text cell/ });
    await console.live.close();
  });

  it('[IN-1] [IN-7] two sockets: the second opening replaces the first, and answers go to the requesting socket', async () => {
    const own = await notebook('two');
    const [one, other] = [await asking(own), await asking(own)];
    await one.open('make');
    await one.ask('make', 'mine = 1');
    const since = one.live.mark();
    await other.open('make');
    expect((await one.live.next('inspect_closed', { since })).payload.reason).toBe('reopened');
    expect(await one.ask('make', 'mine')).toMatchObject({ ok: false, error: /NameError/ });
    expect(other.live.frames.filter(({ type }) => type === 'inspect_result').length).toBe(1);
    await other.close('make');
    expect((await one.live.next('inspect_closed', { since: since + 1 })).payload.reason).toBe('closed');
    for (const { live } of [one, other]) await live.close();
  });

  it('[IN-6] [IN-7] bad input: an endless loop, a flood, a dead process, a fork; and runs continue', async () => {
    const own = await notebook('bad');
    const console = await asking(own);
    const { live } = console;
    await console.open('make');
    const since = live.mark();
    live.send('inspect_eval', { cell_id: 'make', expr: 'while True: pass' });
    expect((await own.execute('last')).status).toBe('ready');
    live.send('inspect_interrupt', { cell_id: 'make' });
    const stopped = await live.next('inspect_result', { since });
    expect(stopped.payload).toMatchObject({ ok: false, error: 'Stopped.' });
    const flood = await console.ask('make', "print('y' * 10_000_000)");
    expect(flood.stdout?.length).toBeLessThan(66_000);
    expect(await console.ask('make', 'import os; os.fork() and 1')).toMatchObject({ ok: true });
    expect(await console.ask('make', '1 +')).toMatchObject({ ok: false, error: /SyntaxError/ });
    expect(await console.ask('make', 'os._exit(4)')).toMatchObject({ ok: false, error: /exit code 4/ });
    expect((await live.next('inspect_closed')).payload).toMatchObject({
      reason: 'ended',
      message: /exit code 4/,
    });
    await live.close();
  });
});

describe('[IN-7] no process is left', () => {
  const LEAVES = (marker: string): string =>
    `import subprocess, sys; a = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "${marker}"], start_new_session=True)`;
  let count = 0;

  async function leaving(own: OpenNotebook, url?: string): Promise<string> {
    const marker = `inspect-${process.pid}-${++count}`;
    const console = await asking(own, url);
    await console.open('make');
    await console.ask('make', LEAVES(marker));
    await expect.poll(() => processesOf(marker)).toHaveLength(1);
    return marker;
  }

  it('when the session is closed', async () => {
    const own = await notebook('closed');
    const marker = await leaving(own);
    await own.close();
    expect(processesOf(marker)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('when the server gets %s', async (signal) => {
    const other = await startServerProcess({ grants: [root] });
    const own = await openNotebook(other, join(root, `server-${signal}`), CELLS);
    const marker = await leaving(own, other.url);
    await other.stop(signal);
    await expect.poll(() => processesOf(marker)).toEqual([]);
    await other.dispose();
  });
});
