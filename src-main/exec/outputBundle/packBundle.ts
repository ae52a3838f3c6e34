import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import { BUNDLE_MEMBERS } from '../../../src-shared/wire/worker/bundleManifest.ts';
import type { WorkerHardware } from '../../../src-shared/wire/worker/health.ts';
import { bytesOf, type Piece, streamOf } from '../../lib/pieces.ts';
import { BundleProblem, MAX_LONGEST_MEMBERS } from './bundleProblem.ts';
import { type ConsoleSource, consoleMember, type Member, streamMembers } from './consoleMembers.ts';
import { describeBundle } from './describeBundle.ts';
import { TAR_END, tarHeader, tarLink, tarPadding } from './tarEntry.ts';

export interface BundleSource extends ConsoleSource {
  readonly result: HarnessResult;
  /** Holds the files `result` names. */
  readonly outputDir: string;
  readonly durationMs: number;
  readonly hardware?: WorkerHardware;
  /** A value above it goes as a failure of its own name: the reader would refuse the whole bundle for it. */
  readonly maxMemberBytes: number;
  /** What whoever asked takes as a whole; absent: what a reader of ours takes. */
  readonly maxBundleBytes?: number;
}

/** A bundle that is put together as it is read: its values stay where the run left them. */
export interface PackedBundle {
  readonly bytes: number;
  /** Anew each time, while the files are there; fails where one of them changed meanwhile. */
  stream(): Readable;
}

/** console.json holds at least so much, however little room the values leave. */
const LEAST_CONSOLE_BYTES = 64 * 1024;

/**
 * What a run left as one tar: the layout of worker-protocol 6.1, the manifest with both indexes, each file once. A reader that takes
 * values under `files/` alone finds each of them there, as a hard link of the tar.
 * @throws BundleProblem when a file the result names is gone or no plain file; the system's errors
 */
export async function packBundle(source: BundleSource): Promise<PackedBundle> {
  const { maxMemberBytes } = source;
  const mostExpanded = MAX_LONGEST_MEMBERS * maxMemberBytes;
  const linked = await partsOf(source, { hasLinks: true });
  // A link counts for a reader as the file it stands for: where that is too much, values are there once.
  const isLinked = linked.bytes + linked.linkedBytes + LEAST_CONSOLE_BYTES <= mostExpanded;
  const parts = isLinked ? linked : await partsOf(source, { hasLinks: false });
  const most = Math.min(mostExpanded - parts.linkedBytes, source.maxBundleBytes ?? Number.POSITIVE_INFINITY);
  const room = Math.max(LEAST_CONSOLE_BYTES, most - parts.bytes - OVERHEAD_BYTES);
  const console = await tarOf(await consoleMember(source, Math.min(maxMemberBytes, room)));
  const pieces = [...parts.index, ...console, ...parts.rest, TAR_END];
  return { bytes: bytesOf(pieces), stream: () => streamOf(pieces) };
}

/** Header and padding of console.json, and the end of the tar. */
const OVERHEAD_BYTES = 2 * 512 + TAR_END.length;

interface Parts {
  readonly index: readonly Piece[];
  readonly rest: readonly Piece[];
  readonly bytes: number;
  /** What links add for a reader who counts each as a file. */
  readonly linkedBytes: number;
}

/** Everything but console.json. */
async function partsOf(source: BundleSource, { hasLinks }: { readonly hasLinks: boolean }): Promise<Parts> {
  const { result, outputDir } = source;
  const { manifest, values } = describeBundle(source, { hasLinks });
  const files = values.map(({ file, member }) => fileMember(member, join(outputDir, file)));
  const members: readonly Member[] = [
    ...(await streamMembers(source)),
    ...(result.success ? [] : [json(BUNDLE_MEMBERS.error, errorOf(result))]),
    ...files,
  ];
  const links = hasLinks ? values.map(({ member, link }) => tarLink(link, member)) : [];
  const index = await tarOf(json(BUNDLE_MEMBERS.manifest, manifest));
  const rest = [...(await Promise.all(members.map(tarOf))).flat(), ...(await Promise.all(links))];
  return {
    index,
    rest,
    bytes: bytesOf([...index, ...rest]),
    linkedBytes: hasLinks ? bytesOf(files.flatMap(({ content }) => content)) : 0,
  };
}

async function tarOf({ name, content }: Member): Promise<readonly Piece[]> {
  const bytes = bytesOf(content);
  return [await tarHeader(name, bytes), ...content, tarPadding(bytes)];
}

function json(name: string, value: unknown): Member {
  return { name, content: [Buffer.from(JSON.stringify(value, null, 2))] };
}

/** The folder was the cell's to write in: a link or a pipe in the place of a value is not followed. */
function fileMember(name: string, path: string): Member {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true) throw new BundleProblem(`A result of the cell is not a regular file: ${path}`);
  return { name, content: [{ path, bytes: info.size }] };
}

/** `ZeroDivisionError: division by zero` → its class and its words. */
function errorOf({ error, traceback }: Extract<HarnessResult, { success: false }>) {
  const [, type = null, message = error] = /^([A-Za-z_][\w.]*): (.*)$/s.exec(error) ?? [];
  return { type, message, traceback, exit_code: 1 };
}
