/** Hard links in an output bundle: which ones are resolved, and which ones make the reader refuse the bundle. */

import { execFileSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Header } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { BundleProblem } from './bundleProblem.ts';
import { readBundle } from './readBundle.ts';
import { manifest, tarOf } from './testing/testTar.ts';

const PYTHON = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
const MAX = 1_000_000;

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));
async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cellar-links-'));
  folders.push(dir);
  return dir;
}

async function read(bytes: Buffer, maxMemberBytes = MAX) {
  const dir = await folder();
  return { dir, ...(await readBundle(Readable.from([bytes]), { dir, maxMemberBytes })) };
}

const value = { name: 'outputs/n.json', text: '42' };
const link = (name: string, linkname: string, more: Partial<Header> = {}) => ({
  name,
  linkname,
  type: 'link' as const,
  ...more,
});

describe('[WK-41] a hard link is read as the earlier file that it names', () => {
  const files = { content_type: 'json/object', bytes: 2, preview: 42 };
  const long = `outputs/${'é'.repeat(200)}.json`;
  it.each<readonly [string, Parameters<typeof tarOf>[0], readonly string[]]>([
    ['one', [value, link('files/n.json', 'outputs/n.json')], ['files/n.json', 'outputs/n.json']],
    ['with dots before its names', [value, link('./files/n.json', './outputs/n.json')], ['files/n.json']],
    [
      'two links to one file',
      [value, link('files/n.json', 'outputs/n.json'), link('display/n.json', 'outputs/n.json')],
      ['files/n.json', 'display/n.json'],
    ],
    [
      'a link in outputs/ to a file in files/',
      [{ ...value, name: 'files/n.json' }, link('outputs/n.json', 'files/n.json')],
      ['outputs/n.json'],
    ],
    ['with long names', [{ ...value, name: long }, link(`files/${'ü'.repeat(200)}`, long)], [long]],
  ])('%s', async (_name, members, named) => {
    const variables = Object.fromEntries(named.map((file, i) => [`v${i}`, { ...files, file }]));
    const bundle = await read(await tarOf([manifest({ variables }), ...members]));
    const filesOnDisk = await readdir(bundle.dir);
    // The manifest and the value: nothing is written for a link.
    expect(filesOnDisk).toHaveLength(2);
    for (const name of Object.keys(variables)) {
      const output = bundle.result.variables[name];
      const file = output !== undefined && 'file' in output ? (output.file ?? '') : '';
      expect(await readFile(join(bundle.dir, file), 'utf8')).toBe('42');
      expect((await lstat(join(bundle.dir, file))).nlink).toBe(1);
    }
  });

  it('a tar of another program, which writes the second copy of a file as a link', async () => {
    const bytes = execFileSync(PYTHON, ['-c', HARD_LINKED], { cwd: await folder(), maxBuffer: MAX });
    const bundle = await read(bytes);
    expect(bundle.result).toMatchObject({ variables: { n: { bytes: 2 } }, displays: [{ bytes: 2 }] });
  });
});

/** Packs a folder with one value under two names with Python's tarfile, which makes the second one a link. */
const HARD_LINKED = `
import json, os, sys, tarfile
os.makedirs("files"); os.makedirs("display")
open("files/n.json", "w").write("42")
os.link("files/n.json", "display/n.json")
entry = {"content_type": "json/object", "bytes": 2, "preview": 42}
json.dump({"schema_version": "notebook-output-bundle@v1", "success": True,
  "variables": {"n": {**entry, "file": "files/n.json"}}, "displays": [{**entry, "file": "display/n.json"}]}, open("manifest.json", "w"))
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
    for name in ("manifest.json", "files", "display"):
        tar.add(name)
`;

const many = (count: number, target: string) =>
  Array.from({ length: count }, (_, i) => link(`files/${i}`, target));
/** Links for which a reader must refuse the bundle. */
const refusedLinks: readonly (readonly [string, Parameters<typeof tarOf>[0], RegExp])[] = [
  [
    'a link to a later file',
    [manifest(), link('files/n.json', 'outputs/n.json'), value],
    /not a file before it/,
  ],
  ['a link to nothing', [manifest(), value, link('files/n.json', 'outputs/m.json')], /not a file before it/],
  ['a link without a target', [manifest(), value, link('files/n.json', '')], /outside/],
  ['a link to itself', [manifest(), value, link('files/n.json', 'files/n.json')], /not a file before it/],
  [
    'a link to a link',
    [manifest(), value, link('files/n.json', 'outputs/n.json'), link('display/n.json', 'files/n.json')],
    /not a file before it/,
  ],
  [
    'a link to a folder',
    [manifest(), { name: 'outputs/d', type: 'directory' }, link('files/d', 'outputs/d')],
    /not a file before it/,
  ],
  [
    'a link to a folder with a slash',
    [manifest(), { name: 'outputs/d', type: 'directory' }, link('files/d', 'outputs/d/')],
    /outside/,
  ],
  ['a link upwards', [manifest(), value, link('files/n.json', 'outputs/../../n.json')], /outside/],
  ['a link with a detour', [manifest(), value, link('files/n.json', 'outputs/../outputs/n.json')], /outside/],
  ['a link with a dot inside', [manifest(), value, link('files/n.json', 'outputs/./n.json')], /outside/],
  ['a link with two slashes', [manifest(), value, link('files/n.json', 'outputs//n.json')], /outside/],
  ['an absolute link', [manifest(), value, link('files/n.json', '/etc/passwd')], /outside/],
  ['a link to a drive', [manifest(), value, link('files/n.json', 'C:/n.json')], /outside/],
  ['a link with a backslash', [manifest(), value, link('files/n.json', 'outputs\\n.json')], /outside/],
  [
    'a link to the console',
    [manifest(), { name: 'stdout.txt', text: '' }, link('files/o', 'stdout.txt')],
    /not a regular file/,
  ],
  [
    'a link whose name leads upwards',
    [manifest(), value, link('files/../../n.json', 'outputs/n.json')],
    /outside/,
  ],
  ['a link in place of the manifest', [value, link('manifest.json', 'outputs/n.json')], /not a regular file/],
  [
    'a link in place of a stream',
    [manifest(), value, link('stdout.txt', 'outputs/n.json')],
    /not a regular file/,
  ],
  [
    'a link with the name of an earlier file',
    [manifest(), value, { ...value, name: 'files/n.json' }, link('files/n.json', 'outputs/n.json')],
    /twice/,
  ],
  [
    'a file with the name of an earlier link',
    [manifest(), value, link('files/n.json', 'outputs/n.json'), { ...value, name: 'files/n.json' }],
    /twice/,
  ],
  ['a duplicate link', [manifest(), value, ...many(1, value.name), ...many(1, value.name)], /twice/],
  [
    'links to one large file',
    [manifest(), { name: 'outputs/big', text: 'x'.repeat(MAX) }, ...many(8, 'outputs/big')],
    /larger than the limit of 8000000 bytes/,
  ],
  [
    'a symbolic link in a value folder',
    [manifest(), value, { name: 'files/n.json', type: 'symlink', linkname: 'outputs/n.json' }],
    /not a regular file/,
  ],
];

describe('[WK-41] a link that must not be followed is refused', () => {
  it.each(refusedLinks)('%s', async (_name, members, words) => {
    const refusal = read(await tarOf(members));
    await expect(refusal).rejects.toThrow(words);
    await expect(refusal).rejects.toBeInstanceOf(BundleProblem);
  });

  it('an endless number of links, while they arrive', async () => {
    const [value42, one] = [await tarOf([manifest(), value]), await tarOf([link('files/0', value.name)])];
    let count = 0;
    const endless = Readable.from(
      (function* () {
        yield value42.subarray(0, -1024);
        for (; ; count += 1) {
          const header = Buffer.from(one.subarray(0, 512));
          header.write(`files/${count}`.padEnd(20, '\0'), 0, 'latin1');
          header.fill(' ', 148, 156);
          const sum = header.reduce((total, byte) => total + byte, 0);
          header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
          yield header;
        }
      })(),
      { objectMode: false },
    );
    const dir = await folder();
    const refusal = readBundle(endless, { dir, maxMemberBytes: 100 * MAX });
    await expect(refusal).rejects.toThrow(/more than 20000 members/);
    expect(count).toBeLessThan(30_000);
    expect(await readdir(dir)).toHaveLength(2);
  });
});

it('[WK-41] a link entry that contains bytes is refused', async () => {
  const bytes = await tarOf([manifest(), value, link('files/n.json', 'outputs/n.json')]);
  const at = bytes.lastIndexOf('files/n.json');
  const header = Buffer.from(bytes.subarray(at, at + 512));
  header.write('00000000004 ', 124, 'latin1');
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const content = Buffer.alloc(512);
  content.write('4242');
  const hostile = Buffer.concat([bytes.subarray(0, at), header, content, bytes.subarray(at + 512)]);
  await expect(read(hostile)).rejects.toThrow(/bytes of its own/);
  await expect(read(hostile)).rejects.toBeInstanceOf(BundleProblem);
});
