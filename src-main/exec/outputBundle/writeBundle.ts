import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { type HarnessOutput, type HarnessResult, isOutputFailure } from '../../../src-shared/wire/harness.ts';
import { BUNDLE_MEMBERS, type BundleManifest } from '../../../src-shared/wire/worker/bundleManifest.ts';
import type { WorkerHardware } from '../../../src-shared/wire/worker/health.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../src-shared/wire/worker/protocol.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { BundleProblem } from './bundleProblem.ts';

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

/** A member and what it is made of. */
type Member = { readonly name: string } & ({ readonly text: string } | { readonly path: string });

/**
 * Packs what a run left into one tar at `path`: document 1's layout, the manifest with both indexes, each file once.
 * Values go from disk to disk.
 * @returns its size
 * @throws BundleProblem when a file the result names is gone or no plain file; the system's errors
 */
export async function writeBundle(source: BundleSource, path: string): Promise<number> {
  const { manifest, blobs } = await describe(source);
  const members: Member[] = [
    text(BUNDLE_MEMBERS.manifest, manifest),
    text(BUNDLE_MEMBERS.console, { stdout: source.stdout, stderr: source.stderr }),
    await streamMember(BUNDLE_MEMBERS.stdout, source.stdout, source.consoleLog?.stdout),
    await streamMember(BUNDLE_MEMBERS.stderr, source.stderr, source.consoleLog?.stderr),
    ...(source.result.success ? [] : [text(BUNDLE_MEMBERS.error, errorOf(source.result))]),
    ...[...blobs].map(([file, name]) => ({ name, path: join(source.outputDir, file) })),
  ];
  const tar = pack();
  const written = pipeline(tar, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  try {
    for (const member of members) await add(tar, member);
    tar.finalize();
  } catch (error) {
    tar.destroy();
    await written.catch(() => {}); // The first error says what was wrong.
    throw error;
  }
  await written;
  return (await stat(path)).size;
}

function text(name: string, value: unknown): Member {
  return { name, text: JSON.stringify(value, null, 2) };
}

async function streamMember(name: string, end: string, log: string | undefined): Promise<Member> {
  const isLogged = log !== undefined && (await stat(log).catch(nullIfMissing)) !== null;
  return isLogged ? { name, path: log } : { name, text: end };
}

function add(tar: Pack, member: Member): Promise<void> {
  if ('path' in member) return addFile(tar, member.name, member.path);
  return new Promise((resolve, reject) => {
    const entry = { name: member.name, mode: 0o600, mtime: new Date(0) };
    tar.entry(entry, member.text, (error) => (error ? reject(error) : resolve()));
  });
}

async function addFile(tar: Pack, name: string, path: string): Promise<void> {
  const file = await openPlain(path);
  try {
    const { size } = await file.stat();
    const sink = tar.entry({ name, size, mode: 0o600, mtime: new Date(0) });
    if (size === 0) return void sink.end(null);
    await pipeline(file.createReadStream({ autoClose: false, start: 0, end: size - 1 }), sink);
  } finally {
    await file.close();
  }
}

/** The folder was the cell's to write in: a link or a pipe in the place of a value is not followed. */
async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  ).catch((error: unknown) => {
    throw new BundleProblem(`A result of the cell cannot be read: ${String(error)}`);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new BundleProblem(`A result of the cell is no plain file: ${path}`);
}

/** The manifest, and file of the result → member. */
async function describe(
  source: BundleSource,
): Promise<{ manifest: BundleManifest; blobs: Map<string, string> }> {
  const { result, outputDir, maxMemberBytes } = source;
  const blobs = new Map<string, string>();
  const place = async (output: HarnessOutput, folder: 'outputs' | 'display'): Promise<HarnessOutput> => {
    if (isOutputFailure(output) || output.file === undefined) return output;
    const bytes = (await lstat(join(outputDir, output.file)).catch(nullIfMissing))?.size ?? output.bytes;
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
  for (const [name, output] of named) variables[name] = await place(output, 'outputs');
  const displays: HarnessOutput[] = [];
  for (const output of result.displays) displays.push(await place(output, 'display'));
  const last = result.variables['_'];
  if (last !== undefined) variables['_'] = await place(last, 'display');
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
