import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StoreError } from '../artifacts/artifact.ts';
import { readPlainFile } from '../lib/plainFile.ts';
import { answerFor } from './errorAnswer.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'answers-'));
  await writeFile(join(dir, 'file'), 'text');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const rows: readonly (readonly [what: string, fails: () => Promise<unknown>, says: RegExp | null])[] = [
  ['a folder is not a file', () => readPlainFile(dir), /^\S+ is not a regular file\. Move it away/],
  [
    'a file is not a folder',
    () => readdir(join(dir, 'file')),
    /file is a file, but must be a folder\. Move it away/,
  ],
  [
    'a file contains no other file',
    () => readFile(join(dir, 'file/x')),
    /file.x is a file, but must be a folder/,
  ],
  ['a file cannot be made a folder', () => mkdir(join(dir, 'file')), /file is a file, but must be a folder/],
  ['a missing file is an internal error', () => readFile(join(dir, 'none')), null],
];
it.each(rows)('[RE-20] %s', async (_what, fails, says) => {
  const error = await fails().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { status, body, logged } = answerFor(error);
  if (says === null) return expect(logged).toBe('error');
  expect([status, logged]).toEqual([409, 'warn']);
  expect(body).toEqual({ detail: expect.stringMatching(says) });
});

it.each([
  ['ends while it handles a request', 'closed', 409, { detail: 'The session is closing.' }, null],
  ['is damaged', 'unreadable', 500, { detail: 'Internal server error' }, 'error'],
] as const)('[RE-3] a session whose store %s', (_what, code, ...expected) => {
  const { status, body, logged } = answerFor(new StoreError(code, 'the store said so'));
  expect([status, body, logged]).toEqual(expected);
});
