import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { unpackArchive } from './unpackArchive.ts';

const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

async function unpack(members: readonly (Partial<Header> & { readonly name: string })[]): Promise<string> {
  const tar = pack();
  for (const header of members) {
    if (
      header.type === 'symlink' ||
      header.type === 'link' ||
      header.type === 'directory' ||
      header.type === 'character-device'
    )
      tar.entry(header);
    else tar.entry(header, 'text');
  }
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar) pieces.push(Buffer.from(piece as Uint8Array));
  const dir = await mkdtemp(join(tmpdir(), 'cellar-unpack-'));
  dirs.push(dir);
  const relink = (name: string) => (name.startsWith('bin/python') ? '/usr/bin/python3' : null);
  await unpackArchive(Readable.from([gzipSync(Buffer.concat(pieces))]), { dir, relink });
  return dir;
}

describe('[WK-26] an archive of a registry', () => {
  it('is unpacked with its inner links, and linked to this machine’s interpreter', async () => {
    const dir = await unpack([
      { name: './', type: 'directory' },
      { name: './lib/a.py', mode: 0o644 },
      { name: 'bin/tool', mode: 0o755 },
      { name: 'bin/python', type: 'symlink', linkname: '/opt/elsewhere/python3.13' },
      { name: 'lib64', type: 'symlink', linkname: 'lib' },
      { name: 'lib/b.py', type: 'link', linkname: 'lib/a.py' },
    ]);
    expect(await readFile(join(dir, 'lib64/b.py'), 'utf8')).toBe('text');
    expect(await readlink(join(dir, 'bin/python'))).toBe('/usr/bin/python3');
  });

  it.each([
    ['a name outside the folder', [{ name: '../x' }]],
    ['an absolute name', [{ name: '/x' }]],
    ['a link out of the folder', [{ name: 'l', type: 'symlink', linkname: '../../etc' }]],
    ['a link into a cache', [{ name: 'pkg', type: 'symlink', linkname: '/cache/pkg' }]],
    ['a hard link out of the folder', [{ name: 'l', type: 'link', linkname: '/etc/passwd' }]],
    ['a file through a link', [{ name: 'd', type: 'symlink', linkname: 'e' }, { name: 'd' }]],
    [
      'a link that leads out through another link',
      [
        { name: 'p/q/l', type: 'symlink', linkname: '../../r' },
        { name: 'm', type: 'symlink', linkname: 'p/q/l/../../..' },
      ],
    ],
    ['a name through a link', [{ name: 'd', type: 'symlink', linkname: 'e' }, { name: 'd/x' }]],
    ['a device', [{ name: 'd', type: 'character-device' }]],
  ] as const)('is refused with %s', async (_name, members) => {
    await expect(unpack(members)).rejects.toThrow();
  });
});
