/** Packs the results of a run on a worker as one tar, the output bundle, which is its answer to the server. */

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
  /** The folder with the files that `result` names. */
  readonly outputDir: string;
  readonly durationMs: number;
  readonly hardware?: WorkerHardware;
  /** A larger value is replaced by an error under its name, since the reader would refuse the whole bundle for it. */
  readonly maxMemberBytes: number;
  /** The recipient's limit for the whole bundle; absent: the limit of our own reader. */
  readonly maxBundleBytes?: number;
}

/** A bundle that is assembled while it is read: its values stay in the files of the run until then. */
export interface PackedBundle {
  readonly bytes: number;
  /** A new stream on each call, while the files exist; fails when one of them has changed. */
  stream(): Readable;
}

/** console.json may have at least this size, however little room the values leave. */
const MIN_CONSOLE_BYTES = 64 * 1024;

/**
 * The results of a run as one tar: the layout of docs/spec/worker-protocol.md, 6.1, the manifest with both indexes,
 * each file once. A reader that only looks below `files/` finds each value there as a hard link of the tar.
 * @throws BundleProblem when a file that the result names is missing or not a regular file; system errors
 */
export async function packBundle(source: BundleSource): Promise<PackedBundle> {
  const { maxMemberBytes } = source;
  const maxExpanded = MAX_LONGEST_MEMBERS * maxMemberBytes;
  const linked = await partsOf(source, { hasLinks: true });
  // A reader counts a link as the file that it refers to: when that is too much, leave out the links.
  const isLinked = linked.bytes + linked.linkedBytes + MIN_CONSOLE_BYTES <= maxExpanded;
  const parts = isLinked ? linked : await partsOf(source, { hasLinks: false });
  const most = Math.min(maxExpanded - parts.linkedBytes, source.maxBundleBytes ?? Number.POSITIVE_INFINITY);
  const room = Math.max(MIN_CONSOLE_BYTES, most - parts.bytes - OVERHEAD_BYTES);
  const console = await tarOf(await consoleMember(source, Math.min(maxMemberBytes, room)));
  const pieces = [...parts.index, ...console, ...parts.rest, TAR_END];
  return { bytes: bytesOf(pieces), stream: () => streamOf(pieces) };
}

/** The header and padding of console.json, and the end of the tar. */
const OVERHEAD_BYTES = 2 * 512 + TAR_END.length;

interface Parts {
  readonly index: readonly Piece[];
  readonly rest: readonly Piece[];
  readonly bytes: number;
  /** The bytes that the links add for a reader that counts each as a file. */
  readonly linkedBytes: number;
}

/** Everything except console.json. */
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

/** The cell could write to the folder, so a link or a pipe in place of a value is not followed. */
function fileMember(name: string, path: string): Member {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true) throw new BundleProblem(`A result of the cell is not a regular file: ${path}`);
  return { name, content: [{ path, bytes: info.size }] };
}

/** The class and the message of an error such as `ZeroDivisionError: division by zero`. */
function errorOf({ error, traceback }: Extract<HarnessResult, { success: false }>) {
  const [, type = null, message = error] = /^([A-Za-z_][\w.]*): (.*)$/s.exec(error) ?? [];
  return { type, message, traceback, exit_code: 1 };
}
