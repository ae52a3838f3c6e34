/** Unpacks the archive of an environment that a worker downloaded, without writing outside its folder. */

import { createWriteStream } from 'node:fs';
import { link, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';

/** Returns the target to use for a link of the archive; null: its own target, if that is inside the folder. */
export type Relink = (name: string) => string | null;

/**
 * Unpacks a .tar.gz from a registry into an empty folder. Refuses names and links that lead out of the folder, and
 * links into a cache (docs/spec/worker-protocol.md, 8; docs/spec/worker-process.md, 6,
 * docs/spec/remote-execution.md, 4).
 * @throws Error with a message
 */
export async function unpackArchive(
  from: Readable,
  { dir, relink }: { readonly dir: string; readonly relink: Relink },
): Promise<void> {
  const tar = extract();
  const feeding = pipeline(from, createGunzip(), tar).then(
    () => null,
    (error: unknown) => error,
  );
  const links = new Set<string>();
  let problem: unknown = null;
  try {
    for await (const entry of tar) {
      // streamx implements Node's interface, but its types do not say so.
      await place(entry.header, entry as unknown as Readable, { dir, relink, links });
    }
  } catch (error) {
    problem = error;
    tar.destroy();
  }
  const feedError = await feeding;
  if (problem !== null) throw problem;
  if (feedError !== null) throw feedError;
}

async function place(
  header: Header,
  entry: Readable,
  { dir, relink, links }: { readonly dir: string; readonly relink: Relink; readonly links: Set<string> },
): Promise<void> {
  const name = posix.normalize(header.name).replace(/\/$/, '');
  if (name === '.') return void entry.resume();
  if (leadsOut(name) || name.includes('\\') || name.includes('\0'))
    throw new Error(`the archive names ${header.name}`);
  for (let at = posix.dirname(name); at !== '.'; at = posix.dirname(at)) {
    if (links.has(at)) throw new Error(`the archive writes ${name} through its own link ${at}`);
  }
  const path = join(dir, name);
  await mkdir(dirname(path), { recursive: true });
  if (header.type === 'directory') {
    await mkdir(path, { recursive: true });
    return void entry.resume();
  }
  if (header.type === 'file' || header.type === 'contiguous-file') {
    // `wx`: never writes through a link that the archive created before.
    await pipeline(
      entry,
      createWriteStream(path, { flags: 'wx', mode: (header.mode ?? 0) & 0o100 ? 0o755 : 0o644 }),
    );
    return;
  }
  entry.resume();
  const target = header.linkname ?? '';
  if (header.type === 'symlink') {
    const replacement = relink(name);
    // `..` after a name may lead out through another link.
    const isPlain = !/[^./][^/]*\/\.\.(\/|$)/.test(target);
    if (
      replacement === null &&
      (!isPlain || target.startsWith('/') || leadsOut(posix.join(posix.dirname(name), target)))
    ) {
      throw new Error(`the archive's link ${name} leads out of it, to ${target}`);
    }
    links.add(name);
    await symlink(replacement ?? target, path);
    return;
  }
  if (header.type === 'link' && !leadsOut(posix.normalize(target)))
    return link(join(dir, posix.normalize(target)), path);
  throw new Error(`the archive contains ${name}, which is not a file, folder or inner link (${header.type})`);
}

function leadsOut(name: string): boolean {
  return name === '..' || name.startsWith('../') || name.startsWith('/') || /^[a-zA-Z]:/.test(name);
}
