import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from './arguments.ts';
import { readToken } from './tokenInput.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-token-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const file = (text: string): string => {
  const path = join(dir, 'token');
  writeFileSync(path, text);
  return path;
};

/** Types the text into a terminal or a pipe; returns what it shows. */
async function typed(text: string, isTTY: boolean) {
  const output: string[] = [];
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(text);
  const source = { flag: '--token-file', file: '-', what: 'Token of the worker' };
  const token = await readToken(source, { input, say: (message) => void output.push(message) }).catch(
    (error: unknown) => error,
  );
  return { token, shown: output.join('') };
}

test('[CL-63] a token is read from a file, without surrounding blanks', async () => {
  const read = (text: string) => readToken({ flag: '--token-file', file: file(text), what: 'Token' });
  expect(await read('  abc def\n')).toBe('abc def');
  await expect(read(' \n')).rejects.toThrow('is empty');
  await expect(read('a\nb')).rejects.toThrow('one line');
  await expect(readToken({ flag: '--token-file', file: join(dir, 'none'), what: 'Token' })).rejects.toThrow(
    UsageError,
  );
});

test('[CL-63] a terminal prompts for it without echo; a pipe gets no prompt', async () => {
  expect(await typed('s3cret\r', true)).toEqual({ token: 's3cret', shown: 'Token of the worker: \n' });
  expect(await typed('s3cret\nmore\n', false)).toEqual({ token: 's3cret', shown: '' });
  expect((await typed('', false)).token).toBeInstanceOf(UsageError);
});
