/**
 * Tests import forms that are complete, mangled or truncated at random, on the built server: each gets an answer and
 * leaves no partial files.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipped } from '../../src-main/convert/testing/zips.ts';
import { mutate } from '../support/mutate.ts';
import { closeWhenSettled, rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { FAULTS_LOGGED, seedsFrom, trySeeds } from '../support/trySeeds.ts';

const FIRST = Number(process.env['FUZZ_FIRST'] ?? 1);
const SEEDS = Number(process.env['FUZZ_COUNT'] ?? (process.env['LONG'] === '1' ? 3_000 : 10));
/** Seeds that found a bug before: a form truncated in an unread part ended the server. */
const FAULT_SEEDS: readonly number[] = [18, 19];
const ANSWER_MS = 60_000;
const BOUNDARY = 'xBOUNDARYx';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const ODD_TYPES: readonly string[] = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary="${'b'.repeat(300)}"`,
  'multipart/form-data; boundary=other',
  'multipart/mixed; boundary=xBOUNDARYx',
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain; charset=utf-16',
  '',
];

const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', language: 'python' } },
  cells: [
    {
      cell_type: 'code',
      id: 'a',
      source: ['%pip install six\n', 'x = 1\n', 'x'],
      outputs: [],
      execution_count: 1,
      metadata: {},
    },
    { cell_type: 'markdown', id: 'b', source: '# Title', metadata: {} },
  ],
});

const SNAPSHOT = {
  'notebook.toml':
    'notebook_id = "nbsnap"\nname = "Snap"\n\n[[cells]]\nid = "aaaa0001"\nfile = "cells/aaaa0001.py"\n',
  'pyproject.toml':
    '[project]\nname = "s"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = []\n',
  'cells/aaaa0001.py': 'x = 1\n',
};

let root = '';
let server: ServerProcess;
let snapshot: Buffer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-forms-'));
  server = await startServerProcess({ grants: [root] });
  snapshot = await zipped(new Map(Object.entries(SNAPSHOT).map(([name, text]) => [name, Buffer.from(text)])));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

function form(
  name: string,
  { fileName, bytes }: { readonly fileName: string; readonly bytes: Buffer },
): Buffer {
  const part = (head: string, body: Buffer | string): Buffer[] => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...part('name="parent_path"', root),
    ...part('name="name"', name),
    ...part(`name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream`, bytes),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

interface Sent {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
  /** The connection is cut after this many bytes, although more were announced; null if all are sent. */
  readonly cutAt: number | null;
}

function made(seed: number): Sent {
  const random = seeded(seed);
  const isSnapshot = random() < 0.4;
  const fileName = pick(random, [
    'a.ipynb',
    'a.zip',
    '',
    '../../a.ipynb',
    'a\u0000.ipynb',
    `${'n'.repeat(400)}.ipynb`,
  ]);
  const whole = isSnapshot ? snapshot : Buffer.from(NOTEBOOK);
  const bytes = random() < 0.6 ? mutate(random, whole) : whole;
  const name = pick(random, ['made', 'CON', '..', '', 'a/b', 'x'.repeat(300), 'nö\u202e']);
  const sent = form(random() < 0.5 ? `made${seed}` : name, { fileName, bytes });
  const body = random() < 0.4 ? mutate(random, sent) : sent;
  return {
    path: isSnapshot ? '/v1/notebooks/import-snapshot' : '/v1/notebooks/import',
    type: random() < 0.15 ? pick(random, ODD_TYPES) : TYPE,
    body,
    cutAt: random() < 0.1 ? Math.floor(random() * body.length) : null,
  };
}

interface Answered {
  /** Null if the connection was cut on purpose. */
  readonly status: number | null;
  readonly text: string;
}

function send({ path, type, body, cutAt }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': String(body.length) };
    const sent = request(
      `${server.url}${path}`,
      { method: 'POST', headers, timeout: ANSWER_MS },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
        );
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    sent.on('error', (error) => (cutAt === null ? reject(error) : resolve({ status: null, text: '' })));
    if (cutAt === null) sent.end(body);
    else sent.write(body.subarray(0, cutAt), () => sent.destroy());
  });
}

/** Closes and deletes an imported notebook; returns the problems of its folder. */
async function faultsOfImport(text: string): Promise<readonly string[]> {
  const { session_id, path } = JSON.parse(text);
  const toml = await readFile(join(path, 'notebook.toml'), 'utf8').catch(() => '');
  await closeWhenSettled(server.url, session_id);
  // A relative path is resolved in the server's storage folder.
  const isInside = [root, server.storageDir].some((folder) => String(path).startsWith(`${folder}/`));
  await rm(path, { recursive: true, force: true, maxRetries: 10 });
  return [
    ...(toml.includes('notebook_id') ? [] : ['a notebook without a file']),
    ...(isInside ? [] : [`made ${path}`]),
  ];
}

async function faults(seed: number): Promise<readonly string[]> {
  const { status, text } = await send(made(seed));
  if (status === 200) return faultsOfImport(text);
  if (status === null) return [];
  const isInWords = status < 500 && JSON.parse(text).detail !== undefined;
  return isInWords ? [] : [`${status} ${text.slice(0, 300)}`];
}

describe('[TR-42] forms mangled by other tools', () => {
  it(
    `seeds ${FIRST} to ${FIRST + SEEDS - 1}`,
    async () => {
      const seeds = seedsFrom(FAULT_SEEDS, FIRST, SEEDS);
      expect(await trySeeds({ server, seeds, faults })).toEqual([]);
      await expect.poll(() => readdir(root), { timeout: ANSWER_MS }).toEqual([]);
      expect(server.stderr()).not.toMatch(FAULTS_LOGGED);
      expect((await rest(server.url, 'GET', '/health')).status).toBe(200);
    },
    60_000 + SEEDS * 1_000,
  );
});
