import { spawn } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IS_LONG } from '../../../e2e/support/longRun.ts';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { type CellHistory, createCellHistory, type HistoryLimits } from './cellHistory.ts';
import { readVersions } from './cellVersions.ts';

let dir = notebookFolder('');
let nowMs = 0;
let errors: unknown[] = [];
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-history-')));
  await mkdir(join(dir, '.svc'));
  nowMs = Date.now();
  errors = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const A = cellId('a');
const FILE = '.svc/history/61.jsonl';
const DAY = 86_400_000;

function opened(limits: Partial<HistoryLimits> = {}): CellHistory {
  return createCellHistory(dir, { onError: (error) => errors.push(error), now: () => nowMs, limits });
}

/** Saves a text, `seconds` after the previous one. */
async function save(
  history: CellHistory,
  text: string,
  {
    seconds = 60,
    before = null,
    why = 'edit',
  }: { seconds?: number; before?: string | null; why?: 'edit' | 'outside' | 'deleted' } = {},
): Promise<void> {
  nowMs += seconds * 1000;
  history.note(A, { text, why, author: null, before });
}

async function texts(history: CellHistory): Promise<readonly string[]> {
  const { versions } = await history.list(A);
  return Promise.all(versions.map(async ({ id }) => (await history.read(A, id))?.text ?? 'unreadable'));
}

test('[HI-1] every saved text is a version, including the text before the first; newest first', async () => {
  const history = opened();
  await save(history, 'two', { before: 'one' });
  await save(history, 'three', { before: 'two' });
  await save(history, 'three', { before: 'three' });
  await save(history, 'two', { before: 'three', why: 'outside' });
  await save(history, 'two', { why: 'deleted' });
  expect(await texts(history)).toEqual(['two', 'two', 'three', 'two', 'one']);
  const { versions } = await history.list(A);
  expect(versions.map(({ why }) => why)).toEqual(['deleted', 'outside', 'edit', 'edit', 'edit']);
  expect(versions[0]).toMatchObject({ atMs: nowMs, lines: 1, author: null });
  expect(await texts(opened())).toEqual(['two', 'two', 'three', 'two', 'one']);
  expect((await opened().cells()).map(({ id, text }) => [id, text])).toEqual([['a', 'two']]);
  expect(await history.read(A, 'no such version')).toBeNull();
  expect(await history.list(cellId('b'))).toEqual({ versions: [], problem: null });
});

test('[HI-2] saves within half a minute become one version, which is stored no later than that', async () => {
  const history = opened();
  await save(history, 'x', { before: '' });
  for (let n = 0; n < 20; n += 1)
    await save(history, `x = ${n}`, { seconds: 1, before: n === 0 ? 'x' : `x = ${n - 1}` });
  await history.flush();
  expect(await texts(history)).toEqual(['x = 19', 'x', '']);
  await save(history, 'y', { seconds: 31, before: 'x = 19' });
  expect(await texts(history)).toEqual(['y', 'x = 19', 'x', '']);
});

test('[HI-2] an external change is a separate version, after a waiting one', async () => {
  const history = opened();
  await save(history, 'x', { before: '' });
  await save(history, 'mine', { seconds: 1, before: 'x' });
  await save(history, 'theirs', { seconds: 1, before: 'mine', why: 'outside' });
  expect(await texts(history)).toEqual(['theirs', 'mine', 'x', '']);
});

test('[HI-3] versions older than thirty days are removed, and the older half of an oversized history', async () => {
  const history = opened();
  await save(history, 'old', { before: 'older' });
  nowMs += 20 * DAY;
  await save(history, 'newer', { before: 'old' });
  await history.flush();
  await utimes(join(dir, FILE), nowMs / 1000, nowMs / 1000);
  nowMs += 11 * DAY;
  const later = opened();
  expect(await texts(later)).toEqual(['newer']);
  await save(later, 'newest', { before: 'newer' });
  await later.flush();
  expect((await readFile(join(dir, FILE), 'utf8')).trim().split('\n')).toHaveLength(2);

  const small = opened({ bytesPerCell: 4_000 });
  for (let n = 0; n < 60; n += 1) await save(small, `version ${n} ${n * 7919}`, { before: null });
  await small.flush();
  expect((await stat(join(dir, FILE))).size).toBeLessThan(4_200);
  expect((await texts(small))[0]).toBe('version 59 417821'.replace('417821', `${59 * 7919}`));

  const cells = opened({ bytes: 1 });
  cells.note(cellId('b'), { text: 'b', why: 'edit', author: null, before: null });
  await cells.flush();
  expect(await readdir(join(dir, '.svc/history'))).toEqual(['62.jsonl']);
  expect(errors).toEqual([]);
});

test('[HI-4] an incomplete end is cut off; other damage is reported, the damaged file set aside, and the rest remains', async () => {
  const history = opened();
  for (const text of ['one', 'two', 'three', 'four']) await save(history, text);
  await history.flush();
  const whole = await readFile(join(dir, FILE), 'utf8');
  await truncate(join(dir, FILE), whole.length - 9);
  const reopened = opened();
  expect([await texts(reopened), (await reopened.list(A)).problem]).toEqual([['three', 'two', 'one'], null]);
  await save(reopened, 'five');
  expect(await texts(reopened)).toEqual(['five', 'three', 'two', 'one']);

  const lines = whole.trim().split('\n');
  await writeFile(
    join(dir, FILE),
    `${[lines[0], 'garbage', lines[1]?.replace('"sha":"', '"sha":"0'), lines[3]].join('\n')}\n`,
  );
  const damaged = opened();
  const { problem } = await damaged.list(A);
  expect(problem).toBe(
    '2 versions of this cell could not be read. The damaged file was renamed to .svc/history/61.jsonl.bad. The other versions are available.',
  );
  expect(await texts(damaged)).toEqual(['four', 'one']);
  expect(await readFile(join(dir, `${FILE}.bad`), 'utf8')).toContain('garbage');
  await save(damaged, 'six');
  await damaged.flush();
  expect(await texts(opened())).toEqual(['six', 'four', 'one']);
  expect(errors).toEqual([]);
});

test('[HI-4] for any damage to the bytes of the file, it opens, and complete versions are read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(3000), fc.uint8Array({ maxLength: 20 }), fc.boolean(), async (at, junk, cut) => {
      await rm(join(dir, '.svc/history'), { recursive: true, force: true });
      const history = opened();
      const saved = ['one', 'two\n\nlines', 'three', 'one'];
      for (const text of saved) await save(history, text);
      await history.flush();
      const bytes = await readFile(join(dir, FILE));
      const place = at % bytes.length;
      const rest = cut ? Buffer.alloc(0) : bytes.subarray(place + junk.length);
      await writeFile(join(dir, FILE), Buffer.concat([bytes.subarray(0, place), junk, rest]));
      const after = opened();
      for (const text of await texts(after)) expect(saved).toContain(text);
      await save(after, 'newest');
      expect((await texts(after))[0]).toBe('newest');
      expect(errors).toEqual([]);
    }),
    { numRuns: process.env['LONG'] === '1' ? 2_000 : 100 },
  );
});

test('[HI-5] a history that cannot be written is reported and blocks nothing', async () => {
  await mkdir(join(dir, '.svc/history/61.jsonl'), { recursive: true });
  const history = opened();
  await save(history, 'one');
  expect(await texts(history)).toEqual(['one']);
  expect(await readdir(join(dir, '.svc/history'))).toEqual(['61.jsonl', '61.jsonl.bad']);

  await rm(join(dir, '.svc'), { recursive: true });
  await mkdir(join(dir, '.svc'));
  await mkdir(join(dir, 'elsewhere'));
  await symlink('../elsewhere', join(dir, '.svc/history'));
  const linked = opened();
  await save(linked, 'one');
  await expect(linked.list(A)).rejects.toThrow(
    '.svc/history is not a real folder. Remove it so that history can be saved again',
  );
  expect(errors).toHaveLength(1);
  expect(await readdir(join(dir, 'elsewhere'))).toEqual([]);
});

test('[HI-4] a file that is removed or truncated while the notebook is open is continued', async () => {
  const history = opened();
  for (const text of ['one', 'two', 'three']) await save(history, text);
  await history.flush();
  await truncate(join(dir, FILE), 10);
  await save(history, 'four', { before: 'three' });
  expect(await texts(history)).toEqual(['four', 'three']);
  await rm(join(dir, FILE));
  await save(history, 'five', { before: 'four' });
  expect(await texts(history)).toEqual(['five', 'four']);
});

/** Saves in an endless loop; prints each version that must exist from then on. */
const SAVER = `
  const { createCellHistory } = await import(${JSON.stringify(join(import.meta.dirname, 'cellHistory.ts'))});
  const history = createCellHistory(process.argv[1], { onError: (error) => { throw error; }, limits: { togetherMs: 0 } });
  for (let n = Number(process.argv[2]); ; n += 1) {
    history.note('a', { text: 'x = ' + n + ' ' + 'y'.repeat(n % 500), why: 'edit', author: null, before: null });
    await history.flush();
    process.stdout.write(n + '\\n');
  }
`;

test('[HI-6] kill -9 while versions are written loses at most the last one, and the history opens', async () => {
  let next = 0;
  for (const round of IS_LONG ? Array.from({ length: 24 }, (_none, at) => at) : [0, 2, 4, 7]) {
    const args = ['--input-type=module', '-e', SAVER, dir, `${next}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => output.split('\n').length).toBeGreaterThan(20 + round * 3);
    child.kill('SIGKILL');
    await exit;
    const numbers = output
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
    nowMs = Date.now();
    const history = opened();
    const { versions, problem } = await history.list(A);
    expect(problem).toBeNull();
    const { texts: all } = await readVersions(join(dir, FILE));
    const stored = new Set([...all.values()].map((text) => Number(text.split(' ')[2])));
    expect(numbers.filter((n) => !stored.has(n))).toEqual([]);
    next = versions.length + 1;
  }
});
