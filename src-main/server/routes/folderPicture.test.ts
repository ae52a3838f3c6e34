import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { folderPicture } from './folderPicture.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
let root = '';
let dir = notebookFolder('');
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-pictures-'));
  dir = notebookFolder(join(root, 'nb'));
  mkdirSync(join(dir, 'images'), { recursive: true });
  mkdirSync(join(dir, '.svc'));
  const files: [string, Buffer | string][] = [
    ['images/a b.png', PNG],
    ['images/c.jpg', Buffer.from('ffd8ffe000104a46', 'hex')],
    ['d.gif', 'GIF89a........'],
    ['e.webp', 'RIFF....WEBPVP8 '],
    ['wrong.gif', PNG],
    ['page.png', '<!doctype html><script>top.x=1</script>'],
    ['drawing.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['empty.png', ''],
    ['.svc/hidden.png', PNG],
    ['../outside.png', PNG],
  ];
  for (const [name, bytes] of files) writeFileSync(join(dir, name), bytes);
  symlinkSync(join(root, 'outside.png'), join(dir, 'link.png'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['images/a b.png', 'image/png'],
  ['./images/c.jpg', 'image/jpeg'],
  ['d.gif', 'image/gif'],
  ['e.webp', 'image/webp'],
  ['wrong.gif', 'image/png'],
])('[WI-336] %s is served with the type of its bytes', async (path, type) => {
  const { contentType, pieces } = await folderPicture(dir, path);
  expect(contentType).toBe(type);
  const bytes: Buffer[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  expect(Buffer.concat(bytes).byteLength).toBeGreaterThan(0);
});

it.each([
  ['page.png', 'bad_request'],
  ['drawing.png', 'bad_request'],
  ['empty.png', 'bad_request'],
  ['link.png', 'bad_request'],
  ['images', 'bad_request'],
  ['gone.png', 'not_found'],
  ['', 'not_found'],
  [' ', 'not_found'],
  ['a\0.png', 'not_found'],
  ['./.', 'not_found'],
  ['.svc/hidden.png', 'not_found'],
  ['../outside.png', 'not_found'],
  ['images/../../outside.png', 'not_found'],
  ['a'.repeat(400), 'not_found'],
])('[WI-336] %s is not served as a picture of the folder', async (path, code) => {
  await expect(folderPicture(dir, path)).rejects.toMatchObject({ code });
});
