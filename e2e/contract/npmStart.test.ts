/**
 * Tests how `npm start` chooses between the desktop window and the browser, with Electron downloaded from a fake
 * mirror.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-electron-'));
const INSTALLED = join(PROJECT_ROOT, 'node_modules/electron');
const { version } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as { version: string };
const archiveName = `electron-v${version}-linux-x64.zip`;
const archive = zip({ electron: '#!/bin/sh\necho "shown: $*"\n', version });

/** Requests that the server received from which Electron is downloaded. */
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  if (request.url !== `/v${version}/${archiveName}`) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': archive.length }).end(archive);
});
let mirror = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
  rmSync(dir, { recursive: true, force: true });
});

/** A zip without compression whose files are executable, like Electron's but small. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100755 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    // Marks the archive as made on Unix, so that the file modes are used.
    index.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const size = index.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(index.length, 4);
  end.writeUInt16LE(index.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...index, Buffer.from('PK\x05\x06'), end]);
}

/** Electron's npm package without the program, as after `npm ci --ignore-scripts`; the checksum is our archive's. */
function freshPackage(name: string, sha256 = createHash('sha256').update(archive).digest('hex')): string {
  const home = join(dir, name, 'node_modules/electron');
  mkdirSync(home, { recursive: true });
  for (const file of ['install.js', 'index.js', 'package.json'])
    cpSync(join(INSTALLED, file), join(home, file));
  writeFileSync(join(home, 'checksums.json'), JSON.stringify({ [archiveName]: sha256 }));
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(PROJECT_ROOT, 'node_modules', scope), join(home, '..', scope));
  return home;
}

interface Chosen {
  readonly view: { readonly electron?: string; readonly browser?: string };
  readonly said: string;
  readonly requests: number;
}

/** The view that `npm start` chooses in this environment. */
async function choose(home: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<Chosen> {
  const code = `import { chooseView } from './scripts/lib/electron.mjs';
    console.log(JSON.stringify(await chooseView(${JSON.stringify({ args, home, platform: 'linux' })})));`;
  const before = requests.length;
  const { PATH, HOME } = process.env;
  const settings = {
    npm_config_platform: 'linux',
    npm_config_arch: 'x64',
    electron_config_cache: join(home, 'cache'),
    ELECTRON_MIRROR: mirror,
  };
  return new Promise((resolve, reject) => {
    const options = { cwd: PROJECT_ROOT, env: { PATH, HOME, ...settings, ...env } };
    execFile(process.execPath, ['--input-type=module', '-e', code], options, (error, stdout, stderr) => {
      if (error !== null) return reject(error);
      resolve({ view: JSON.parse(stdout), said: stderr, requests: requests.length - before });
    });
  });
}

const screen = { DISPLAY: ':99' };

it('[CL-60] `npm start` downloads Electron once, with the downloader of its npm package, and opens the window', async () => {
  const home = freshPackage('first');
  const first = await choose(home, screen);
  expect(first.view).toEqual({ electron: join(home, 'dist/electron') });
  expect(first.requests).toBe(1);
  expect(first.said).toContain(`downloading Electron ${version} for the desktop window, once`);
  expect(first.said).toMatch(/Electron: 1 of 1 MiB/);
  const output = await new Promise((resolve) =>
    execFile(join(home, 'dist/electron'), ['main.cjs'], (_error, stdout) => resolve(stdout)),
  );
  expect(output).toBe('shown: main.cjs\n');
  expect(await choose(home, screen)).toEqual({ view: first.view, said: '', requests: 0 });
});

interface Row {
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  readonly sha256?: string;
  readonly why: RegExp;
  readonly requests: number;
}

const rows: Readonly<Record<string, Row>> = {
  'the browser is requested': { env: screen, args: ['--browser'], why: /--browser/, requests: 0 },
  'there is no screen': { why: /no screen.*DISPLAY/, requests: 0 },
  'the mirror does not answer': {
    env: { ...screen, ELECTRON_MIRROR: 'http://127.0.0.1:1/' },
    why: /could not be downloaded \(.+\); the next start tries again/,
    requests: 0,
  },
  'the mirror has no such file': {
    env: { ...screen, ELECTRON_CUSTOM_DIR: 'elsewhere' },
    why: /could not be downloaded \(.*404/,
    requests: 1,
  },
  'the file has another checksum': {
    env: screen,
    sha256: '0'.repeat(64),
    why: /could not be downloaded \(.*checksum/i,
    requests: 1,
  },
};

it.each(Object.entries(rows))(
  '[CL-61] `npm start` uses the browser and prints the reason: %s',
  async (name, row) => {
    const home = freshPackage(name, row.sha256);
    const { view, requests } = await choose(home, row.env ?? {}, row.args);
    expect(view).toEqual({ browser: expect.stringMatching(row.why) });
    expect(requests).toBe(row.requests);
  },
);
