/** Unpacks the tar of an output bundle, which is untrusted, into a folder. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { BUNDLE_MEMBERS } from '../../../src-shared/wire/worker/bundleManifest.ts';
import { streamTo, writeNew } from '../../lib/guardedFolder/replace.ts';
import { TailBuffer } from '../tailBuffer.ts';
import {
  BundleProblem,
  MAX_END_BYTES,
  MAX_INDEX_BYTES,
  MAX_LONGEST_MEMBERS,
  MAX_MEMBERS,
} from './bundleProblem.ts';
import { linkTargetOf, nameOf, quotedName } from './memberNames.ts';

/** One member on disk, under a name that we chose. */
export interface UnpackedMember {
  /** The name of its file in the folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** For a stream of the console: its last bytes as text. */
  readonly end: string | null;
}

/** The length of a tar's end, two blocks of zeros; without them it was truncated, perhaps between two members. */
const END_BYTES = 1024;

export interface UnpackOptions {
  /** An empty folder, removed by the caller. */
  readonly dir: string;
  readonly maxMemberBytes: number;
}

/**
 * Unpacks an untrusted tar as a stream, member by member. Refuses anything but regular files, paths outside the folder,
 * duplicates, members and archives that are too large, and truncated archives; names on disk are our own. A hard link
 * is read as the earlier file of the archive that it names: nothing is written for it, and its size counts like a
 * file's.
 * @returns member → its file on disk; a link has the file of its target
 * @throws BundleProblem
 */
export async function unpack(
  from: Readable,
  options: UnpackOptions,
): Promise<ReadonlyMap<string, UnpackedMember>> {
  const tar = extract();
  const maxBytes = MAX_LONGEST_MEMBERS * options.maxMemberBytes;
  const feed = feedOf(maxBytes);
  const feeding = pipeline(from, feed.stream, tar).then(
    () => null,
    (error: unknown) => error,
  );
  const members = new Map<string, UnpackedMember>();
  const links = new Set<string>();
  let expanded = 0;
  let problem: unknown = null;
  try {
    for await (const entry of tar) {
      const name = nameOf(entry.header);
      if (name === null) {
        entry.resume();
        continue;
      }
      if (members.has(name)) throw new BundleProblem(`The output bundle holds ${quotedName(name)} twice.`);
      if (members.size === MAX_MEMBERS)
        throw new BundleProblem(`The output bundle has more than ${MAX_MEMBERS} members.`);
      if (entry.header.type === 'link') {
        const target = targetOf(linkTargetOf(entry.header), { name, members, links });
        expanded += target.bytes;
        if (expanded > maxBytes) throw tooLong(maxBytes);
        members.set(name, target);
        links.add(name);
        entry.resume();
        continue;
      }
      const { size = 0 } = entry.header;
      const most = name === BUNDLE_MEMBERS.manifest ? MAX_INDEX_BYTES : options.maxMemberBytes;
      if (size > most) {
        throw new BundleProblem(
          `The member ${quotedName(name)} of the output bundle is ${size} bytes. The limit is ${most} (SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES).`,
        );
      }
      expanded += size;
      if (expanded > maxBytes) throw tooLong(maxBytes);
      // streamx has the interface of Node's streams, although its types do not say so.
      members.set(
        name,
        await store(entry as unknown as Readable, {
          name,
          dir: options.dir,
          file: `${members.size}${suffixOf(name)}`,
          size,
        }),
      );
    }
  } catch (error) {
    problem = error;
    tar.destroy();
  }
  const feedError = await feeding;
  if (feedError instanceof BundleProblem) throw feedError;
  if (problem instanceof BundleProblem) throw problem;
  const cause = feedError ?? problem;
  if (cause !== null) throw asProblem(cause);
  if (!feed.isWhole()) throw new BundleProblem('The output bundle was cut off before its end.');
  return members;
}

/** The target of a link: an earlier file of the archive, never another link. @throws BundleProblem */
function targetOf(
  target: string,
  {
    name,
    members,
    links,
  }: {
    readonly name: string;
    readonly members: ReadonlyMap<string, UnpackedMember>;
    readonly links: ReadonlySet<string>;
  },
): UnpackedMember {
  const member = links.has(target) ? undefined : members.get(target);
  if (member !== undefined) return member;
  throw new BundleProblem(
    `The link ${quotedName(name)} of the output bundle names ${quotedName(target)}, which is not a file before it.`,
  );
}

function tooLong(maxBytes: number): BundleProblem {
  return new BundleProblem(`The output bundle is larger than the limit of ${maxBytes} bytes.`);
}

/** Errors of our own disk are returned unchanged; all others are problems of the bundle. */
function asProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EMFILE', 'EIO', 'ABORT_ERR'].includes(code)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BundleProblem(`The output bundle cannot be read: ${reason || code}.`);
}

/** The end of the name that tells readers the kind of the value. */
function suffixOf(name: string): string {
  return /(?:\.[A-Za-z0-9_]{1,20}){1,2}$/.exec(name)?.[0] ?? '';
}

/** A small member is written with one synchronous call, which costs less than three trips through the thread pool. */
const SMALL_BYTES = 64 * 1024;

async function store(
  entry: Readable,
  {
    name,
    dir,
    file,
    size,
  }: { readonly name: string; readonly dir: string; readonly file: string; readonly size: number },
): Promise<UnpackedMember> {
  const hash = createHash('sha256');
  const isConsole = /\.txt$/.test(name) && !name.includes('/');
  const tail = isConsole ? new TailBuffer(MAX_END_BYTES) : null;
  let bytes = 0;
  const measure = (chunk: Buffer): void => {
    hash.update(chunk);
    tail?.push(chunk);
    bytes += chunk.length;
  };
  const path = join(dir, file);
  if (size <= SMALL_BYTES) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      measure(chunk);
      chunks.push(chunk);
    }
    writeNew(path, Buffer.concat(chunks));
  } else {
    const measuring = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        measure(chunk);
        done(null, chunk);
      },
    });
    await pipeline(entry, measuring, streamTo(path));
  }
  return { file, bytes, sha256: hash.digest('hex'), end: tail?.text() ?? null };
}

/** Passes at most this many bytes to the tar reader, whether members, padding or what follows the end. */
function feedOf(maxBytes: number): { readonly stream: Transform; readonly isWhole: () => boolean } {
  const tail = new TailBuffer(END_BYTES);
  return {
    stream: new Transform({
      transform(chunk: Buffer, _encoding, done) {
        tail.push(chunk);
        if (tail.total <= maxBytes) return done(null, chunk);
        done(tooLong(maxBytes));
      },
    }),
    isWhole: () => tail.held().length === END_BYTES && tail.held().every((byte) => byte === 0),
  };
}
