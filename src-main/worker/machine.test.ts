import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMachine } from './machine.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-machine-'));
  await writeFile(join(root, 'file'), '');
  await writeFile(join(root, 'good-uv'), '#!/bin/sh\necho uv 0.13.8\n', { mode: 0o755 });
  await writeFile(join(root, 'bad-uv'), '#!/bin/sh\necho no such library >&2\nexit 127\n', { mode: 0o755 });
});
afterAll(() => rm(root, { recursive: true }));

const python = process.env['CELLAR_TEST_PYTHON'] ?? null;

/** uv, and the folder of environments → the reason why the worker cannot build any; null: it can. */
it.skipIf(process.platform === 'win32').each<[string, string, string, RegExp | null]>([
  ['uv that starts', 'good-uv', 'new/folder', null],
  ['no uv of that name', 'no-uv', 'envs', /SVC_UV .* names .*no-uv/],
  ['uv that does not start', 'bad-uv', 'envs', /bad-uv does not start .*: no such library/],
  [
    'a file where the folder should be',
    'good-uv',
    'file',
    /cannot be kept in .*file \(SVC_WORKER_ENV_ROOT\)/,
  ],
])(
  '[RW-42] a worker with %s reports whether it can build environments',
  async (_name, uv, envRoot, problem) => {
    const machine = await readMachine({
      python,
      rscript: join(root, 'no-r'),
      uv: join(root, uv),
      envRoot: join(root, envRoot),
    });
    if (problem === null) expect(machine.environmentsProblem).toBe(null);
    else expect(machine.environmentsProblem).toMatch(problem);
    expect(machine.uv === null).toBe(problem !== null);
    if (python !== null) expect(machine.pythonVersion).toMatch(/^3\.\d+\.\d+$/);
  },
);
