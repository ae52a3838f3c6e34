import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { VERBS } from '../verbs.ts';

const worker = (args: readonly string[]) => dispatch('svc worker', VERBS.worker, args);

const TOML = `notebook_id = "n1"
name = "Mine" # stays

[[cells]]
id = "a0000001"
file = "cells/a0000001.py"
language = "python"
order = 0
`;

let dir = '';
let output = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'worker-file-'));
  await mkdir(join(dir, 'cells'));
  await writeFile(join(dir, 'notebook.toml'), TOML);
  await writeFile(join(dir, 'cells/a0000001.py'), 'x = 1\n');
  output = '';
  const keep = (text: unknown): boolean => {
    output += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true });
});

const inFile = () => readFile(join(dir, 'notebook.toml'), 'utf8');
const URL = 'http://w:9000/v1/execute';

describe('[RW-13] svc worker on a folder', () => {
  it('adds, lists, chooses and removes workers; the rest of the file is unchanged', async () => {
    expect(await worker(['add', dir, 'gpu', '--url', URL, '--token-env', 'GPU_TOKEN', '--default'])).toBe(0);
    const gpu = {
      name: 'gpu',
      backend: 'executor',
      transport: 'direct',
      url: URL,
      runtime_id: null,
      token_env: 'GPU_TOKEN',
      is_default: true,
    };
    expect(JSON.parse(output)).toEqual({ default: 'gpu', editable: true, workers: [gpu] });
    expect(await inFile()).toContain('name = "Mine" # stays');
    output = '';
    expect(await worker(['default', dir, 'local'])).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ default: 'local', workers: [{ is_default: false }] });
    await worker(['default', dir, 'gpu']);
    output = '';
    expect(await worker(['rm', dir, 'gpu', '--format', 'human'])).toBe(0);
    expect(output).toBe('default: local\n');
    expect((await inFile()).replace(/^updated_at = .*\n/m, '')).toBe(TOML);
  });

  it.each<readonly [readonly string[], number, RegExp]>([
    [['add', 'DIR', 'gpu'], 2, /--url/],
    [['add', 'DIR', 'local', '--url', URL], 1, /built in/],
    [['add', 'DIR', 'gpu', '--url', URL, '--transport', 'http'], 1, /transport/],
    [['add', 'DIR', 'gpu', '--url', 'nowhere'], 1, /is not a valid address/],
    [['rm', 'DIR', 'gpu'], 1, /no worker 'gpu'/],
    [['default', 'DIR', 'a b'], 2, /is not a valid worker name/],
    [['ls'], 2, /DIR/],
    [['ls', 'DIR', '--format', 'xml'], 2, /format/],
    [['fly', 'DIR'], 2, /Commands/],
  ])('%j ends with exit code %i', async (args, code, message) => {
    expect(await worker(args.map((one) => (one === 'DIR' ? dir : one)))).toBe(code);
    expect(output).toMatch(message);
    expect(await inFile()).toBe(TOML);
  });
});
