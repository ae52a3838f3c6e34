/**
 * Tests cells that fetch a file, on a real server and from a web server of the test: hits, changes, pins and failures.
 */

import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IS_LONG } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

let root = '';
let server: ServerProcess;
let web: Server;
let url = '';
let text = 'a b c';
let requests = 0;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-fetches-'));
  web = createServer((request, response) => {
    requests += 1;
    const etag = `"${text.length}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(text);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/data/words.txt`;
});
beforeEach(() => {
  text = 'a b c';
  requests = 0;
});
afterAll(async () => {
  await server.dispose();
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
  await rm(root, { recursive: true, force: true });
});

const reader = (options = '') => `# @fetch z ${url}${options}\nwords = z.read_text().split()\nprint(z.name)`;

describe('a fetched file', () => {
  it('[MT-28] [MT-25] is a path in the cell, which is a hit while the file is unchanged and runs when it changed', async () => {
    const open = await openNotebook(server, join(root, 'words'), [
      { id: 'words001', source: reader() },
      { id: 'count001', source: 'print(len(words))' },
    ]);
    expect(requests).toBe(0);
    expect((await open.execute('count001')).stdout).toBe('3\n');
    expect((await open.cell('words001')).console_stdout).toBe('words.txt\n');
    expect((await open.execute('words001')).cache_hit).toBe(true);
    await open.close();
    const again = await openNotebook(server, open.path);
    expect(again.opened.cells.map(({ status }) => status)).toEqual(['ready', 'ready']);
    const before = requests;
    text = 'a b c d';
    expect((await again.execute('words001')).cache_hit).toBe(false);
    expect(requests).toBe(before + 1);
    expect((await again.execute('count001')).stdout).toBe('4\n');
    await again.close();
  });

  it('[CL-12] is pinned to its content if it was fetched; otherwise nothing is written', async () => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const source = `${reader(' refetch=never')}\n`;
    const open = await openNotebook(server, join(root, 'to-pin'), [
      { id: 'words001', source },
      { id: 'never001', source: `# @fetch y ${url}?other\ny` },
    ]);
    await open.execute('words001');
    await open.close();
    const pin = async (...args: string[]) => {
      const { code, stdout } = await svc(['cell', 'pin-fetch', open.path, ...args]);
      return [code, JSON.parse(stdout)];
    };
    expect(await pin('words001', 'q')).toEqual([1, { error: 'The cell has no @fetch named `q`' }]);
    expect(await pin('never001')).toEqual([
      1,
      { error: expect.stringContaining('has not been downloaded yet. Run the cell once, then pin it') },
    ]);
    const pinned = [{ name: 'z', url, sha256 }];
    expect(await pin('words001')).toEqual([0, { cell: 'words001', pinned }]);
    if (IS_LONG) expect(await pin('words001')).toEqual([0, { cell: 'words001', pinned: [] }]);
    expect(await pin('words001', 'z')).toEqual([0, { cell: 'words001', pinned }]);
    expect(await readFile(join(open.path, 'cells/words001.py'), 'utf8')).toBe(
      source.replace(' refetch', ` sha256=${sha256} refetch`),
    );
  });

  it('[MT-23] with the wrong pin fails the cell with an error code, and with the right pin is requested once', async () => {
    const wrong = 'ab'.repeat(32);
    const open = await openNotebook(server, join(root, 'pinned'), [
      { id: 'words001', source: reader(` sha256=${wrong}`) },
    ]);
    const failed = await open.execute('words001');
    expect(failed).toMatchObject({ status: 'error', error_code: 'fetch_pin_mismatch' });
    expect(failed.error).toContain(wrong);
    const right = createHash('sha256').update(text).digest('hex');
    await open.edit('words001', reader(` sha256=${right}`));
    requests = 0;
    expect(await open.execute('words001')).toMatchObject({ status: 'ready', stdout: 'words.txt\n' });
    await open.execute('words001', 'rerun');
    expect(requests).toBe(1);
    await open.close();
  });

  it('[MT-24] that is unavailable fails the cell with a message', async () => {
    const open = await openNotebook(server, join(root, 'gone'), [
      { id: 'words001', source: '# @fetch z http://127.0.0.1:9/x\nprint(z)' },
    ]);
    expect(await open.execute('words001')).toMatchObject({
      status: 'error',
      error: 'The @fetch `z` cannot be used. http://127.0.0.1:9/x could not be fetched: connection refused.',
    });
    await open.close();
  });
});
