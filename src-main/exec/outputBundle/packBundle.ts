import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type HarnessOutput, type HarnessResult, isOutputFailure } from '../../../src-shared/wire/harness.ts';
import { BUNDLE_MEMBERS, type BundleManifest } from '../../../src-shared/wire/worker/bundleManifest.ts';
import type { WorkerHardware } from '../../../src-shared/wire/worker/health.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../src-shared/wire/worker/protocol.ts';
import { bytesOf, type Piece, streamOf } from '../../lib/pieces.ts';
import { BundleProblem } from './bundleProblem.ts';
import { TAR_END, tarHeader, tarPadding } from './tarEntry.ts';

export interface BundleSource {
  readonly result: HarnessResult;
  /** Holds the files `result` names. */
  readonly outputDir: string;
  readonly durationMs: number;
  /** The ends of what was printed. */
  readonly stdout: string;
  readonly stderr: string;
  /** Where a long stream was written whole; a file that is not there means that the end is the whole. */
  readonly consoleLog?: { readonly stdout: string; readonly stderr: string };
  readonly hardware?: WorkerHardware;
  /** A value above it goes as a failure of its own name: the reader would refuse the whole bundle for it. */
  readonly maxMemberBytes: number;
}

/** A bundle that is put together as it is read: its values stay where the run left them. */
export interface PackedBundle {
  readonly bytes: number;
  /** Anew each time, while the files are there; fails where one of them changed meanwhile. */
  stream(): Readable;
}

/** A member and what it is made of. */
interface Member {
  readonly name: string;
  readonly content: Piece;
}

/**
 * What a run left as one tar: document 1's layout, the manifest with both indexes, each file once.
 * @throws BundleProblem when a file the result names is gone or no plain file; the system's errors
 */
export async function packBundle(source: BundleSource): Promise<PackedBundle> {
  const { manifest, blobs } = describe(source);
  const { result, stdout, stderr, consoleLog } = source;
  const members: readonly Member[] = [
    json(BUNDLE_MEMBERS.manifest, manifest),
    json(BUNDLE_MEMBERS.console, { stdout, stderr }),
    stream(BUNDLE_MEMBERS.stdout, stdout, consoleLog?.stdout),
    stream(BUNDLE_MEMBERS.stderr, stderr, consoleLog?.stderr),
    ...(result.success ? [] : [json(BUNDLE_MEMBERS.error, errorOf(result))]),
    ...[...blobs].map(([file, name]) => fileMember(name, join(source.outputDir, file))),
  ];
  const pieces = [...(await Promise.all(members.map(tarOf))).flat(), TAR_END];
  return { bytes: bytesOf(pieces), stream: () => streamOf(pieces) };
}

async function tarOf({ name, content }: Member): Promise<readonly Piece[]> {
  const bytes = bytesOf([content]);
  return [await tarHeader(name, bytes), content, tarPadding(bytes)];
}

function json(name: string, value: unknown): Member {
  return { name, content: Buffer.from(JSON.stringify(value, null, 2)) };
}

function stream(name: string, end: string, log: string | undefined): Member {
  const size = log === undefined ? null : plainSize(log);
  return log === undefined || size === null
    ? { name, content: Buffer.from(end) }
    : { name, content: { path: log, bytes: size } };
}

/** The folder was the cell's to write in: a link or a pipe in the place of a value is not followed. */
function fileMember(name: string, path: string): Member {
  const size = plainSize(path);
  if (size === null) throw new BundleProblem(`A result of the cell is not a regular file: ${path}`);
  return { name, content: { path, bytes: size } };
}

/** Null for what is not there, or no plain file. */
function plainSize(path: string): number | null {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isFile() === true ? info.size : null;
}

/** The manifest, and file of the result → member. */
function describe(source: BundleSource): { manifest: BundleManifest; blobs: Map<string, string> } {
  const { result, outputDir, maxMemberBytes } = source;
  const blobs = new Map<string, string>();
  const place = (output: HarnessOutput, folder: 'outputs' | 'display'): HarnessOutput => {
    if (isOutputFailure(output) || output.file === undefined) return output;
    const bytes = plainSize(join(outputDir, output.file)) ?? output.bytes;
    if (bytes > maxMemberBytes) {
      const error = `It is ${bytes} bytes; a worker sends at most ${maxMemberBytes} (SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES).`;
      return { error, type: output.type ?? output.content_type };
    }
    const member = blobs.get(output.file) ?? `${folder}/${output.file}`;
    blobs.set(output.file, member);
    return { ...output, file: member, bytes };
  };
  const variables: Record<string, HarnessOutput> = {};
  const named = Object.entries(result.variables).filter(([name]) => name !== '_');
  for (const [name, output] of named) variables[name] = place(output, 'outputs');
  const displays: HarnessOutput[] = [];
  for (const output of result.displays) displays.push(place(output, 'display'));
  const last = result.variables['_'];
  if (last !== undefined) variables['_'] = place(last, 'display');
  const isStored = (output: HarnessOutput) => !isOutputFailure(output) && output.file !== undefined;
  const entry = (output: HarnessOutput) => {
    if (isOutputFailure(output) || output.file === undefined) throw new TypeError('filtered before');
    return { content_type: output.content_type, file: output.file, bytes: output.bytes };
  };
  const manifest: BundleManifest = {
    schema_version: BUNDLE_FORMAT,
    success: result.success,
    executor_ref: NOTEBOOK_CELL_REF,
    duration_ms: Math.round(source.durationMs),
    outputs: Object.entries(variables).flatMap(([name, output]) =>
      name !== '_' && isStored(output) ? [{ name, ...entry(output) }] : [],
    ),
    display: displays.filter(isStored).map(entry),
    console: BUNDLE_MEMBERS.console,
    error: result.success ? null : result.error,
    traceback: result.success ? null : result.traceback,
    variables,
    displays,
    stdout_file: BUNDLE_MEMBERS.stdout,
    stderr_file: BUNDLE_MEMBERS.stderr,
    mutation_warnings: result.mutation_warnings,
    build_env: result.build_env,
    ...(source.hardware === undefined || Object.keys(source.hardware).length === 0
      ? {}
      : { hardware: source.hardware }),
    ...(result.success || result.error_code === undefined ? {} : { error_code: result.error_code }),
  };
  return { manifest, blobs };
}

/** `ZeroDivisionError: division by zero` → its class and its words. */
function errorOf({ error, traceback }: Extract<HarnessResult, { success: false }>) {
  const [, type = null, message = error] = /^([A-Za-z_][\w.]*): (.*)$/s.exec(error) ?? [];
  return { type, message, traceback, exit_code: 1 };
}
