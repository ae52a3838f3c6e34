/**
 * Tests notebook folders mangled at random: the built server opens each one or refuses it with a message, and loses
 * nothing in it.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseToml } from '../../src-main/notebook/toml/tomlPatch.ts';
import { type SessionStateBody, sessionState } from '../../src-shared/wire/notebookState.ts';
import { mutate } from '../support/mutate.ts';
import { type Answer, closeWhenSettled, rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { FAULTS_LOGGED, seedsFrom, trySeeds } from '../support/trySeeds.ts';

const FIRST = Number(process.env['FUZZ_FIRST'] ?? 1);
const SEEDS = Number(process.env['FUZZ_COUNT'] ?? (process.env['LONG'] === '1' ? 2_000 : 6));
/** Seeds that found a fault before: a TOML key of two thousand parts was answered with 500. */
const FAULT_SEEDS: readonly number[] = [1062];
const ANSWER_MS = 60_000;

const FILES: Readonly<Record<string, string>> = {
  'notebook.toml': `notebook_id = "nbfuzz"
name = "Fuzzed"
created_at = 2026-01-02T03:04:05Z
updated_at = 2026-01-02T03:04:05Z
timeout = 30.5
worker = "far"
owner = "me"

[ai]
model = "m"
max_output_tokens = 10

[[mounts]]
name = "data"
uri = "file:///nowhere"
mode = "ro"

[[workers]]
name = "far"
backend = "executor"
[workers.config]
url = "http://127.0.0.1:9"

[connections.wh]
driver = "duckdb"
path = "wh.duckdb"

[catalogs.lake]
type = "rest"
uri = "http://127.0.0.1:9"

[[variant_group]]
group = "g"
active = "one"
mode = "switch"

[r]
version = "4.3"

[future]
kept = [1, 2, { a = "b" }]

[[cells]]
id = "aaaa0001"
file = "cells/aaaa0001.py"
order = 0.0
timeout = 5
[cells.env]
B = "2"
[[cells.mounts]]
name = "m"
uri = "file:///nowhere"

[[cells]]
id = "bbbb0002"
file = "cells/bbbb0002.md"
language = "markdown"
order = 1.0

[[cells]]
id = "cccc0003"
file = "cells/cccc0003.py"
language = "sql"
order = 2.0

[[cells]]
id = "dddd0004"
file = "cells/dddd0004.widget"
language = "widget"
order = 3.0

[env]
A = "1"
"odd word" = "two"

[secret_manager]
provider = "infisical"
project_id = "p"
`,
  'pyproject.toml': `[project]
name = "fuzzed"
version = "0.1.0"
description = ""
requires-python = ">=3.10"
dependencies = []

[tool.uv]
index-url = "http://127.0.0.1:9/simple"
`,
  'cells/aaaa0001.py': '# @name first\n# @variant g one\nx = 1\n',
  'cells/aaaa0001.test.py': 'def test_it():\n    assert True\n',
  'cells/bbbb0002.md': '# Title\n\nwords $x$\n',
  'cells/cccc0003.py': '# @connection wh\nselect 1\n',
  'cells/dddd0004.widget': 'slider x 0..10\n',
  'notes.txt': 'mine\n',
  '.gitignore': '.svc/\n',
  '.svc/runtime.json': '{"version": 1, "cells": {}}',
};

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-fuzz-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

async function fuzzed(seed: number): Promise<string> {
  const random = seeded(seed);
  const files = new Map<string, Buffer>(
    Object.entries(FILES).map(([name, text]) => [name, Buffer.from(text)]),
  );
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const name = random() < 0.6 ? 'notebook.toml' : pick(random, [...files.keys()]);
    const bytes = files.get(name);
    if (bytes !== undefined) files.set(name, mutate(random, bytes));
  }
  if (random() < 0.1) files.delete(pick(random, [...files.keys()]));
  const folder = random() < 0.1 ? pick(random, [...files.keys()]) : null;
  const dir = join(root, `n${seed}`);
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    if (name === folder) await mkdir(join(dir, name));
    else await writeFile(join(dir, name), bytes);
  }
  return dir;
}

/** The user's files in a folder: all except the program's state, environments and locks. */
async function filesIn(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const own = entries.filter(
    (entry) => entry.isFile() && !/[\\/]\.(svc|venv)([\\/]|$)/.test(`${entry.parentPath}/`),
  );
  const files = own
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith('uv.lock'));
  return new Map(
    await Promise.all(files.map(async (path) => [path, (await readFile(path)).toString('latin1')] as const)),
  );
}

const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS).unref();
    }),
  ]);
const ask = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Answer<T>> =>
  within(rest<T>(server.url, method, path, body));

/** Opens, renames and closes the mangled folder of a seed; returns the problems as messages. */
async function faults(seed: number): Promise<readonly string[]> {
  const dir = await fuzzed(seed);
  const before = await filesIn(dir);
  const opened = await ask<SessionStateBody & { detail?: unknown }>('POST', '/v1/notebooks/open', {
    path: dir,
  });
  const unchanged = async (what: string): Promise<string[]> => {
    const after = await filesIn(dir);
    return [...before].flatMap(([path, text]) =>
      after.get(path) === text ? [] : [`${what} changed ${path}`],
    );
  };
  if (opened.status !== 200) {
    const isInWords = opened.status < 500 && typeof opened.body.detail === 'string';
    return [
      ...(isInWords ? [] : [`${opened.status} ${JSON.stringify(opened.body)}`]),
      ...(await unchanged('a refusal')),
    ];
  }
  const problems = await unchanged('opening');
  const base = `/v1/notebooks/${opened.body.session_id}`;
  const fits = sessionState.safeParse(opened.body);
  if (!fits.success) problems.push(`a state that violates its contract: ${fits.error.message}`);
  for (const path of [
    `/v1/notebooks/sessions/${opened.body.session_id}`,
    `${base}/cells`,
    `${base}/dag`,
    `${base}/environment`,
  ]) {
    const { status } = await ask('GET', path);
    if (status >= 500) problems.push(`${path}: ${status}`);
  }
  const renamed = await ask('PUT', `${base}/name`, { name: 'Renamed' });
  if (renamed.status >= 500) problems.push(`rename: ${renamed.status} ${JSON.stringify(renamed.body)}`);
  if (renamed.status === 200) problems.push(...(await lostByRename(dir, before)));
  const closed = await within(closeWhenSettled(server.url, opened.body.session_id));
  if (closed.status !== 200) problems.push(`close: ${closed.status} ${JSON.stringify(closed.body)}`);
  return problems;
}

async function triedAndCleared(seed: number): Promise<readonly string[]> {
  const problems = await faults(seed);
  await rm(join(root, `n${seed}`), { recursive: true, force: true, maxRetries: 10 });
  return problems;
}

/** Lines that saving may rewrite: the name and its time, variables, the secret manager. */
const REWRITTEN =
  /^(name|updated_at|A|B|"odd word"|provider|project_id|\[env\]|\[cells\.env\]|\[secret_manager\])/;
const LANDMARKS = (FILES['notebook.toml'] ?? '')
  .split('\n')
  .filter((line) => line !== '' && !REWRITTEN.test(line));

/** Lines that a rename of the notebook lost, as messages; fails if the file cannot be parsed. */
async function lostByRename(dir: string, before: ReadonlyMap<string, string>): Promise<string[]> {
  const path = join(dir, 'notebook.toml');
  const was = new Set((before.get(path) ?? '').split(/\r?\n/));
  const text = await readFile(path, 'utf8');
  parseToml(text.replace(/^\ufeff/, ''));
  const now = new Set(text.split(/\r?\n/));
  const lost = LANDMARKS.filter((line) => was.has(line) && !now.has(line));
  return lost.map((line) => `a rename lost the line ${JSON.stringify(line)}`);
}

describe('[NF-56] notebook folders mangled by other tools', () => {
  it(
    `seeds ${FIRST} to ${FIRST + SEEDS - 1}`,
    async () => {
      const seeds = seedsFrom(FAULT_SEEDS, FIRST, SEEDS);
      expect(await trySeeds({ server, seeds, faults: triedAndCleared })).toEqual([]);
      expect(server.stderr()).not.toMatch(FAULTS_LOGGED);
    },
    60_000 + SEEDS * 1_000,
  );
});
