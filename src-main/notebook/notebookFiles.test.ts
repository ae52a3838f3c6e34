import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IS_LONG } from '../../e2e/support/longRun.ts';
import { type CellId, cellId } from '../../src-shared/notebook/ids.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { type NotebookFiles, openNotebookFiles, readNotebook } from './notebookFiles.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-notebook-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const TOML = `# my notebook
notebook_id = "nb"   # keep
name = "N"
updated_at = 2020-01-01T00:00:00Z
later = { x = [1, 2,], y = 0x10 }

[connections.bad]
host   =  'h'   \t
n = 1_000

# first
[[cells]]
id = "a"
file = "cells/a.py"
order = 0.0
mine = "kept"

[[cells]]
id = "b"
file = "cells/b.py"
order = 1.0
updated_by = "ann"
`;

const A = cellId('a');
const B = cellId('b');
const STAMP = /updated_at = .*/;

async function put(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(dir, file)), { recursive: true });
  await writeFile(join(dir, file), text);
}

const text = (file: string) => readFile(join(dir, file), 'utf8');
const toml = async () => (await text('notebook.toml')).replace(STAMP, 'updated_at = T');

async function opened(content = TOML): Promise<NotebookFiles> {
  await put('notebook.toml', content);
  await put('cells/a.py', 'x = 1\n');
  await put('cells/b.py', 'y = 2\n');
  return openNotebookFiles(dir);
}

const orders = (files: NotebookFiles) => files.file().cells.map((cell) => `${cell.id}:${cell.order}`);

/** A block as the writer writes it. */
const block = (id: string, order: string) =>
  `[[cells]]\nid = "${id}"\nfile = "cells/${id}.py"\nlanguage = "python"\norder = ${order}\n`;

test('[NF-1] [NF-2] [NF-8] cells are added between, at the end and without an anchor; nothing else changes', async () => {
  const files = await opened();
  const add = (id: string, afterId: CellId | null) =>
    files.addCell({ id: cellId(id), afterId, language: 'python', author: null, source: `# ${id}\n` });
  await add('m', A);
  await add('z', B);
  await add('n', null);
  expect(orders(files)).toEqual(['a:0', 'm:0.5', 'b:1', 'z:2', 'n:4']);
  const [head = '', tail = ''] = TOML.replace(STAMP, 'updated_at = T').split('mine = "kept"\n');
  expect(await toml()).toBe(
    `${head}mine = "kept"\n\n${block('m', '0.5')}${tail}\n${block('z', '2.0')}\n${block('n', '4.0')}`,
  );
  expect(await text('cells/m.py')).toBe('# m\n');
  expect(files.sources().get(cellId('m'))?.source).toBe('# m\n');
});

test('[NF-5] [NF-7] adding, then deleting, restores the file; a structural edit sets the time', async () => {
  const files = await opened();
  const { id } = await files.addCell({ afterId: A, language: 'markdown', author: 'ann' });
  expect(id).toMatch(/^[a-z0-9]{8}$/);
  expect(files.file().cells[1]).toMatchObject({ file: `cells/${id}.md`, createdBy: 'ann', updatedBy: 'ann' });
  await put(`cells/${id}.test.py`, 'def test(): pass\n');
  await files.deleteCell(id);
  expect(await toml()).toBe(TOML.replace(STAMP, 'updated_at = T'));
  expect(files.file().updatedAt).not.toBe('2020-01-01T00:00:00.000Z');
  expect(await readdir(join(dir, 'cells'))).toEqual(['a.py', 'b.py']);
  expect([...files.sources().keys()]).toEqual(['a', 'b']);
});

test('[NF-8] reorder renumbers from 0, unlisted cells follow; rename only changes the name', async () => {
  const files = await opened();
  await files.reorder([B, cellId('ghost')]);
  expect(orders(files)).toEqual(['b:0', 'a:1']);
  await files.rename('Zwölf "Uhr"');
  expect(await toml()).toBe(
    TOML.replace(STAMP, 'updated_at = T')
      .replace('order = 1.0', 'order = X')
      .replace('order = 0.0', 'order = 1.0')
      .replace('order = X', 'order = 0.0')
      .replace('name = "N"', 'name = "Zwölf \\"Uhr\\""'),
  );
});

test('[NF-5] a source edit rewrites notebook.toml only for a new author and does not change updated_at', async () => {
  const files = await opened();
  const before = await stat(join(dir, 'notebook.toml'));
  expect(await files.writeSource(B, 'y = 3\n', { author: 'ann', force: false })).toEqual({ kind: 'written' });
  expect(await files.writeSource(B, 'y = 4\n', { author: null, force: false })).toEqual({ kind: 'written' });
  expect((await stat(join(dir, 'notebook.toml'))).ino).toBe(before.ino);
  await files.writeSource(A, 'x = 3\n', { author: 'other', force: false });
  expect(await text('notebook.toml')).toBe(
    TOML.replace('mine = "kept"\n', 'mine = "kept"\nupdated_by = "other"\n'),
  );
  expect([await text('cells/a.py'), await text('cells/b.py')]).toEqual(['x = 3\n', 'y = 4\n']);
});

test('[NF-3] CRLF and BOM are preserved in both kinds of files; mixed line breaks stay unchanged', async () => {
  const files = await opened(`\ufeff${TOML.replaceAll('\n', '\r\n')}`);
  await put('cells/a.py', '\ufeffa\r\nb\r\n');
  await put('cells/b.py', 'a\r\nb\n');
  await files.reload();
  expect([...files.sources().values()].map(({ source }) => source)).toEqual(['a\nb\n', 'a\r\nb\n']);
  await files.writeSource(A, 'a\nc\n', { author: null, force: false });
  await files.writeSource(B, 'a\r\nc\n', { author: null, force: false });
  await files.rename('M');
  expect([await text('cells/a.py'), await text('cells/b.py')]).toEqual(['\ufeffa\r\nc\r\n', 'a\r\nc\n']);
  expect(await toml()).toBe(
    `\ufeff${TOML.replace('"N"', '"M"').replaceAll('\n', '\r\n')}`.replace(STAMP, 'updated_at = T'),
  );
});

test('[NF-21] an unreadable cell file opens with its problem and is never overwritten', async () => {
  const contents: readonly (readonly [string | Uint8Array | null, string])[] = [
    [null, 'cells/a.py is missing'],
    ['x\0y', 'cells/a.py is a binary file'],
    [new Uint8Array([0xff, 0xfe, 0x41]), 'cells/a.py is not UTF-8 text'],
    [
      'é'.repeat(1_000_001),
      'cells/a.py is 1,000,001 characters long, and a cell can have at most 1,000,000 characters: split it, or move the text to a file that a cell reads',
    ],
    [
      'x'.repeat(10_000_000),
      'cells/a.py is 10,000,000 bytes long, and a cell can have at most 1,000,000 characters: split it, or move the text to a file that a cell reads',
    ],
  ];
  for (const [content, problem] of contents) {
    const files = await opened();
    if (content === null) await rm(join(dir, 'cells/a.py'));
    else await put('cells/a.py', content);
    await files.reload();
    expect(files.sources().get(A)).toEqual({ source: '', testSource: '', problem, testProblem: null });
    const write = files.writeSource(A, 'new', { author: null, force: true });
    if (content === null) {
      expect(await write).toEqual({ kind: 'written' });
      expect(files.sources().get(A)?.problem).toBeNull();
    } else {
      await expect(write).rejects.toMatchObject({
        code: 'conflict',
        message: `${problem}. It was not overwritten.`,
      });
      expect((await readFile(join(dir, 'cells/a.py'))).equals(Buffer.from(content))).toBe(true);
    }
    await files.close();
  }
});

test('links do not lead outside: neither of a file nor of the folder of cells', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'svc-outside-'));
  try {
    await writeFile(join(outside, 'a.py'), 'secret');
    await writeFile(join(dir, 'inside.py'), 'x = 5\n');
    const files = await opened();
    await rm(join(dir, 'cells/a.py'));
    await symlink(join(outside, 'a.py'), join(dir, 'cells/a.py'));
    await rm(join(dir, 'cells/b.py'));
    await symlink('../inside.py', join(dir, 'cells/b.py'));
    await files.reload();
    expect([...files.sources().values()].map(({ source, problem }) => problem ?? source)).toEqual([
      'cells/a.py is a link to a file outside the notebook; replace it with the file itself',
      'x = 5\n',
    ]);
    await files.writeSource(B, 'x = 6\n', { author: null, force: false });
    expect(await text('inside.py')).toBe('x = 6\n');
    await rm(join(dir, 'cells'), { recursive: true });
    await symlink(outside, join(dir, 'cells'));
    await expect(files.addCell({ afterId: null, language: 'python', author: null })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await readdir(outside)).toEqual(['a.py']);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('texts that a cell cannot hold and ids in use are refused', async () => {
  const files = await opened();
  const write = (source: string) => files.writeSource(A, source, { author: null, force: true });
  await expect(write('a\0b')).rejects.toMatchObject({
    code: 'bad_request',
    message: 'cells/a.py contains a NUL character.',
  });
  await expect(write('\ud800')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(write('x'.repeat(1_000_001))).rejects.toMatchObject({ code: 'bad_request' });
  await put('cells/left.py', 'somebody wrote this');
  const add = (id: string, afterId: CellId | null) =>
    files.addCell({ id: cellId(id), afterId, language: 'python', author: null });
  await expect(add('a', null)).rejects.toMatchObject({ code: 'conflict' });
  await expect(add('left', null)).rejects.toMatchObject({ code: 'conflict' });
  await expect(add('n', cellId('ghost'))).rejects.toMatchObject({ code: 'bad_request' });
  await expect(files.deleteCell(cellId('ghost'))).rejects.toMatchObject({ code: 'not_found' });
  expect(await text('notebook.toml')).toBe(TOML);
});

/** Objects nested to this depth. */
const nested = (levels: number): Record<string, unknown> =>
  Array.from({ length: levels }).reduce<Record<string, unknown>>((inner) => ({ a: inner }), {});
const HELD = { uri: 's3://b', mode: 'ro', pin: null, credential: null } as const;
const LARGE = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`K${at}`, 'x'.repeat(2 ** 21)]));

test.each<readonly [what: string, edit: (files: NotebookFiles) => Promise<unknown>, says: RegExp]>([
  [
    'a mount',
    (files) => files.configure(null, { mounts: [{ ...HELD, name: 'm', options: nested(97) }] }),
    /mounts is nested more than 100 levels deep/,
  ],
  [
    'a connection',
    (files) => files.setConnections([{ name: 'c', driver: 'sqlite', options: nested(97) }]),
    /connections\.c is nested more than 100 levels deep/,
  ],
  [
    'a worker',
    (files) =>
      files.configure(null, {
        workers: [{ name: 'w', backend: 'executor', runtime_id: null, config: nested(97) }],
      }),
    /workers is nested more than 100 levels deep/,
  ],
  ['an environment', (files) => files.setEnv(LARGE), /would be larger than 32 MiB/],
])(
  '[NF-57] %s that could not be read back is refused, and the notebook opens again',
  async (_, edit, says) => {
    const files = await opened();
    await expect(edit(files)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(says),
    });
    expect(await text('notebook.toml')).toBe(TOML);
    expect(files.file().env).toEqual({});
  },
);

test('[NF-57] a value as deep as allowed is written and can be read again', async () => {
  const files = await opened();
  await files.configure(null, { mounts: [{ ...HELD, name: 'm', options: nested(96) }] });
  await files.setConnections([{ name: 'c', driver: 'sqlite', options: nested(96) }]);
  const { file } = await readNotebook(dir);
  expect([file.mounts, file.connections]).toEqual([files.file().mounts, files.file().connections]);
});

test('external writes during an edit are preserved, or reported before they are lost', async () => {
  const files = await opened();
  await put('notebook.toml', `${TOML}\n${block('c', '2.0')}`.replace('"N"', '"Theirs"'));
  await put('cells/c.py', 'z\n');
  await files.deleteCell(A);
  expect(files.file()).toMatchObject({ name: 'Theirs' });
  expect(orders(files)).toEqual(['b:1', 'c:2']);
  expect(files.sources().get(cellId('c'))?.source).toBe('z\n');

  await put('cells/b.py', 'theirs\n');
  const write = (force: boolean) => files.writeSource(B, 'mine\n', { author: null, force });
  expect(await write(false)).toEqual({
    kind: 'conflict',
    diskSource: 'theirs\n',
    baseSource: 'y = 2\n',
  });
  expect(await text('cells/b.py')).toBe('theirs\n');
  expect(await write(true)).toEqual({ kind: 'written' });
  expect(await write(false)).toEqual({ kind: 'written' });
  expect(await text('cells/b.py')).toBe('mine\n');

  await put('cells/c.py', 'other\n');
  expect(await files.reload()).toEqual({ fileChanged: false, changedCells: ['c'] });

  await put('notebook.toml', 'notebook_id = \n');
  await expect(files.rename('X')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('notebook.toml:1: not valid TOML'),
  });
  expect(await text('notebook.toml')).toBe('notebook_id = \n');
});

test('[PR-14] AI settings are written key by key; a file without the table gets one', async () => {
  const files = await opened();
  await files.configure(null, { ai: { model: 'small-1', base_url: null } });
  expect(await toml()).toContain('[ai]\nmodel = "small-1"\n');
  expect(await toml()).not.toContain('base_url');
  await put('notebook.toml', (await text('notebook.toml')).replace('[ai]', '[ai]\n# mine\napi_key = "kept"'));
  await files.configure(null, { ai: { model: 'small-2' } });
  expect(await toml()).toContain('[ai]\n# mine\napi_key = "kept"\nmodel = "small-2"\n');
  await files.configure(null, { ai: { model: null } });
  expect(await toml()).toContain('api_key = "kept"');
  expect(await toml()).not.toContain('small-2');
});

test('[NF-4] secret env values never reach the file, stay in memory, and blank tables are removed', async () => {
  const env = '\n[env]\nREGION = "eu" # r\nAPI_KEY = "sk-1"\nmy_token = ""\n';
  const files = await opened(
    `${TOML.slice(0, TOML.indexOf('\n[conn'))}${env}${TOML.slice(TOML.indexOf('\n[conn'))}`,
  );
  await files.rename('M');
  expect(await toml()).toContain('[env]\nREGION = "eu" # r\nAPI_KEY = ""\nmy_token = ""\n');
  expect(files.file().env).toEqual({ REGION: 'eu', API_KEY: 'sk-1', my_token: '' });
  await files.configure(null, { env: { API_KEY: 'sk-2' }, timeout: 5 });
  expect(await toml()).not.toMatch(/env|sk-/);
  expect(files.file()).toMatchObject({ env: { API_KEY: 'sk-2' }, timeout: 5 });
  await files.configure(A, { env: { PLAIN: 'p', DB_PASSWORD: 'x' }, worker: 'w' });
  expect(await toml()).toContain('mine = "kept"\nenv = { PLAIN = "p", DB_PASSWORD = "" }\nworker = "w"\n');
  await files.configure(A, { env: null, worker: null });
  await files.configure(null, { env: null, timeout: null });
  expect(files.file().env).toEqual({});
  expect(await toml()).toBe(TOML.replace('"N"', '"M"').replace(STAMP, 'updated_at = T'));
});

test('concurrent edits are applied one after another, and none after close', async () => {
  const files = await opened();
  await Promise.all([
    files.addCell({ id: cellId('c'), afterId: A, language: 'python', author: null }),
    files.addCell({ id: cellId('d'), afterId: A, language: 'python', author: null }),
    files.deleteCell(B),
    files.rename('M'),
    files.close(),
  ]);
  expect(orders(files)).toEqual(['a:0', 'd:0.25', 'c:0.5']);
  await expect(files.rename('late')).rejects.toThrow('is closed');
  const { file, sources } = await readNotebook(dir);
  expect([file.name, [...sources.keys()]]).toEqual(['M', ['a', 'd', 'c']]);
});

test('a missing or broken notebook.toml is named', async () => {
  await expect(openNotebookFiles(dir)).rejects.toThrow(
    'notebook.toml: is missing, so this folder is not a notebook',
  );
  await put('notebook.toml', new Uint8Array([0xff]));
  await expect(openNotebookFiles(dir)).rejects.toThrow('notebook.toml: is not UTF-8 text');
});

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('add' as const, 'delete' as const, 'write' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('reorder' as const), order: fc.array(fc.nat(5), { maxLength: 4 }) }),
  ),
  { maxLength: 8 },
);

test('random edits: reading again agrees with a model and with the handle', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      await rm(join(dir, 'cells'), { recursive: true, force: true });
      const files = await opened();
      let model: readonly (readonly [id: string, source: string])[] = [
        ['a', 'x = 1\n'],
        ['b', 'y = 2\n'],
      ];
      for (const [index, step] of todo.entries()) {
        if (step.kind === 'reorder') {
          const ids = step.order.map((at) => model[at]?.[0] ?? 'ghost').map(cellId);
          await files.reorder(ids);
          const picked = model.filter((_, at) => step.order.includes(at));
          const first = [...new Set(step.order)].flatMap((at) =>
            model[at] === undefined ? [] : [model[at]],
          );
          model = [...first, ...model.filter((cell) => !picked.includes(cell))];
          continue;
        }
        const cell = model[step.at];
        if (cell === undefined) continue;
        const [id] = cell;
        if (step.kind === 'add') {
          const added = await files.addCell({
            afterId: cellId(id),
            language: 'python',
            author: null,
            source: `${index}`,
          });
          model = [...model.slice(0, step.at + 1), [added.id, `${index}`], ...model.slice(step.at + 1)];
        } else if (step.kind === 'delete') {
          await files.deleteCell(cellId(id));
          model = model.filter((other) => other !== cell);
        } else {
          await files.writeSource(cellId(id), `w${index}`, { author: `p${index}`, force: false });
          model = model.map((other) => (other === cell ? [id, `w${index}`] : other));
        }
      }
      const notebook = await readNotebook(dir);
      expect([...notebook.sources].map(([id, { source }]) => [id, source])).toEqual(model);
      expect(notebook.file).toEqual(files.file());
      expect(notebook.sources).toEqual(files.sources());
      expect((await readdir(join(dir, 'cells'))).toSorted()).toEqual(
        model.map(([id]) => `${id}.py`).toSorted(),
      );
      expect(await text('notebook.toml')).toContain("[connections.bad]\nhost   =  'h'   \t\nn = 1_000\n");
    }),
    { numRuns: 40 },
  );
});

/** Edits in an endless loop; prints which cells it has finished adding. */
const EDITOR = `
  const { openNotebookFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'notebookFiles.ts'))});
  const files = await openNotebookFiles(process.argv[1]);
  process.stdout.write('ready');
  for (let n = 0; ; n += 1) {
    const cell = await files.addCell({ afterId: null, language: 'python', author: 'me', source: 'n = ' + n });
    await files.writeSource('a', 'x = ' + 'y'.repeat(n * 100), { author: 'p' + n, force: false });
    await files.rename('N' + n);
    await files.deleteCell(cell.id);
  }
`;

test('kill -9 in the middle of edits: the notebook opens, every cell has its file', async () => {
  await (await opened()).close();
  // The later a round, the further the edits are when the process is killed.
  for (const round of IS_LONG ? Array.from({ length: 24 }, (_none, at) => at) : [0, 2, 4, 7]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', EDITOR, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    for (let wait = 0; wait < round * 9; wait += 1) await stat(join(dir, 'notebook.toml'));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const { file, sources } = await readNotebook(dir);
    expect(file.cells.slice(0, 2).map(({ id }) => id)).toEqual(['a', 'b']);
    expect([...sources.values()].map(({ problem }) => problem)).toEqual(file.cells.map(() => null));
    expect(sources.get(A)?.source).toMatch(/^x = (1\n|y*)$/);
    expect(await text('notebook.toml')).toContain("[connections.bad]\nhost   =  'h'   \t\nn = 1_000\n");
  }
});
