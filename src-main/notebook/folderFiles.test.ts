import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notebookFolder } from './folder/notebookFolder.ts';
import { moveFile, readTextFile, writeTextFile } from './folderFiles.ts';

let root = '';
let dir = notebookFolder('');
const at = (path: string): string => join(dir, path);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-files-'));
  dir = notebookFolder(join(root, 'nb'));
  mkdirSync(at('cells'), { recursive: true });
  mkdirSync(at('.svc'));
  const files: [string, string | Buffer][] = [
    ['helper.py', 'x = 1\n'],
    ['notebook.toml', 'notebook_id = "n"\n'],
    ['pyproject.toml', '[project]\n'],
    ['cells/a.py', 'a = 1\n'],
    ['.svc/runtime.json', '{}'],
    ['picture.bin', Buffer.from([0x89, 0x00, 0xff])],
    ['latin.txt', Buffer.from([0xe9, 0x41])],
    ['large.txt', 'x'.repeat(1024 * 1024 + 1)],
    ['../outside.txt', 'outside'],
  ];
  for (const [path, content] of files) writeFileSync(at(path), content);
  symlinkSync(join(root, 'outside.txt'), at('link.txt'));
  symlinkSync(root, at('up'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const digestOf = async (path: string): Promise<string> => (await readTextFile(dir, path)).sha256;

describe('the user’s own files', () => {
  it('[ED-90] a text is read, edited and written as a whole', async () => {
    const { text, sha256 } = await readTextFile(dir, 'helper.py');
    expect(text).toBe('x = 1\n');
    const next = await writeTextFile(dir, 'helper.py', { text: 'x = 2\n', base: sha256 });
    expect(readFileSync(at('helper.py'), 'utf8')).toBe('x = 2\n');
    expect(await digestOf('helper.py')).toBe(next);
  });

  it('[ED-90] a hard-linked copy of the folder keeps its bytes', async () => {
    linkSync(at('helper.py'), join(root, 'copy.py'));
    await writeTextFile(dir, 'helper.py', { text: 'x = 2\n', base: await digestOf('helper.py') });
    expect(readFileSync(join(root, 'copy.py'), 'utf8')).toBe('x = 1\n');
  });

  it('[ED-91] a text that has changed since it was read is not overwritten', async () => {
    const base = await digestOf('helper.py');
    writeFileSync(at('helper.py'), 'x = 3\n');
    await expect(writeTextFile(dir, 'helper.py', { text: 'x = 2\n', base })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(readFileSync(at('helper.py'), 'utf8')).toBe('x = 3\n');
  });

  it('[ED-91] a new text does not replace a file', async () => {
    await writeTextFile(dir, 'new.py', { text: 'y = 1\n', base: null });
    await expect(writeTextFile(dir, 'helper.py', { text: '', base: null })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(readFileSync(at('new.py'), 'utf8')).toBe('y = 1\n');
    expect(readFileSync(at('helper.py'), 'utf8')).toBe('x = 1\n');
  });

  it('[ED-90] a file is renamed, and moved into a folder that did not exist', async () => {
    await moveFile(dir, 'helper.py', 'helpers/text.py');
    expect(readFileSync(at('helpers/text.py'), 'utf8')).toBe('x = 1\n');
    await moveFile(dir, 'helpers/text.py', 'helpers/Text.py');
    expect(readFileSync(at('helpers/Text.py'), 'utf8')).toBe('x = 1\n');
  });

  it.each([
    ['a name that is taken', 'helper.py', 'latin.txt', 'conflict'],
    ['its own name', 'helper.py', 'helper.py', 'conflict'],
    ['a file that does not exist', 'nowhere.py', 'there.py', 'not_found'],
    ['a folder', 'up', 'down', 'bad_request'],
    ['a link', 'link.txt', 'own.txt', 'bad_request'],
    ['out of the folder', 'helper.py', '../helper.py', 'bad_request'],
    ['through a link', 'helper.py', 'up/helper.py', 'bad_request'],
    ['to an absolute path', 'helper.py', '/tmp/helper.py', 'bad_request'],
    ['to a hidden name', 'helper.py', '.helper.py', 'bad_request'],
    ['into the cells', 'helper.py', 'cells/helper.py', 'bad_request'],
    ['into the cells, in capitals', 'helper.py', 'Cells/helper.py', 'bad_request'],
    ['over notebook.toml', 'helper.py', 'notebook.toml', 'bad_request'],
    ['notebook.toml itself', 'notebook.toml', 'old.toml', 'bad_request'],
    ['no name', 'helper.py', '', 'bad_request'],
    ['a name with a line break', 'helper.py', 'a\nb.py', 'bad_request'],
  ])('[ED-91] moving is refused: %s', async (_what, from, to, code) => {
    await expect(moveFile(dir, from, to)).rejects.toMatchObject({ code });
    expect(readFileSync(at('helper.py'), 'utf8')).toBe('x = 1\n');
    expect(readFileSync(at('notebook.toml'), 'utf8')).toBe('notebook_id = "n"\n');
  });

  it.each([
    ['a file that does not exist', 'nowhere.py', 'not_found'],
    ['bytes', 'picture.bin', 'bad_request'],
    ['another encoding', 'latin.txt', 'bad_request'],
    ['a large text', 'large.txt', 'bad_request'],
    ['a link', 'link.txt', 'bad_request'],
    ['through a link', 'up/outside.txt', 'bad_request'],
    ['a hidden file', '.svc/runtime.json', 'bad_request'],
    ['a cell', 'cells/a.py', 'bad_request'],
    ['the packages', 'pyproject.toml', 'bad_request'],
  ])('[ED-91] reading and writing are refused: %s', async (_what, path, code) => {
    await expect(readTextFile(dir, path)).rejects.toMatchObject({ code });
    await expect(writeTextFile(dir, path, { text: 'x', base: '0'.repeat(64) })).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|bad_request|conflict/),
    });
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('outside');
  });
});
