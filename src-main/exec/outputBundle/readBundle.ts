/**
 * Reads and checks the output bundle that a worker sends: its manifest, its values, its console and its
 * error.
 */

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type * as z from 'zod';
import {
  type HarnessOutput,
  type HarnessResult,
  harnessResult,
  isOutputFailure,
} from '../../../src-shared/wire/harness.ts';
import {
  type AnyBundleManifest,
  anyBundleManifest,
  BUNDLE_MEMBERS,
  bundleConsole,
  bundleError,
} from '../../../src-shared/wire/worker/bundleManifest.ts';
import type { WorkerHardware } from '../../../src-shared/wire/worker/health.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { writeNew } from '../../lib/guardedFolder/replace.ts';
import { TailBuffer } from '../tailBuffer.ts';
import { BundleProblem, MAX_END_BYTES, MAX_INDEX_BYTES } from './bundleProblem.ts';
import { VALUE_FOLDERS } from './memberNames.ts';
import { type UnpackedMember, type UnpackOptions, unpack } from './unpack.ts';

/** A worker's bundle in the form that a run on this machine leaves: the `file`s of the result are in the folder. */
export interface ReadBundle {
  readonly result: HarnessResult;
  /** The ends of the streams. */
  readonly stdout: string;
  readonly stderr: string;
  /** The whole streams as files in the folder, where the bundle has them. */
  readonly stdoutFile: string | null;
  readonly stderrFile: string | null;
  /** Null when the worker did not report it. */
  readonly durationMs: number | null;
  readonly hardware: WorkerHardware | null;
}

/**
 * Reads an output bundle of either layout (docs/spec/worker-protocol.md, 6.1) from a stream into a folder and checks
 * all of it. Do not use anything from a refused bundle; the caller empties the folder.
 * @throws BundleProblem
 */
export async function readBundle(from: Readable, options: UnpackOptions): Promise<ReadBundle> {
  const members = await unpack(from, options);
  const reader = new BundleReader(members, options.dir);
  const manifest = await reader.json(BUNDLE_MEMBERS.manifest, anyBundleManifest);
  if (manifest === null) throw new BundleProblem('The output bundle has no manifest.json.');
  return {
    result: await reader.result(manifest),
    ...(await reader.console(manifest)),
    durationMs: manifest.duration_ms ?? null,
    hardware: manifest.hardware ?? null,
  };
}

/** The maximum depth of JSON in a bundle; deeper values could be parsed but not serialized again. */
const MAX_DEPTH = 500;

class BundleReader {
  readonly #members: ReadonlyMap<string, UnpackedMember>;
  readonly #dir: string;

  constructor(members: ReadonlyMap<string, UnpackedMember>, dir: string) {
    this.#members = members;
    this.#dir = dir;
  }

  /** A member as JSON of a shape; null when the bundle does not have it. */
  async json<T>(name: string, shape: z.ZodType<T>): Promise<T | null> {
    const member = this.#members.get(name);
    if (member === undefined) return null;
    if (member.bytes > MAX_INDEX_BYTES)
      throw new BundleProblem(`${name} of the output bundle is ${member.bytes} bytes long.`);
    let value: unknown;
    try {
      value = JSON.parse((await readFileAt(join(this.#dir, member.file))).toString('utf8'));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new BundleProblem(`${name} of the output bundle is not JSON.`);
    }
    if (isDeeperThan(value, MAX_DEPTH)) {
      throw new BundleProblem(`${name} of the output bundle is nested more than ${MAX_DEPTH} deep.`);
    }
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new BundleProblem(`${name} of the output bundle is not valid (${where || 'at the top level'}).`);
  }

  async result(manifest: AnyBundleManifest): Promise<HarnessResult> {
    const { variables, displays } = indexOf(manifest, this.#members);
    const base = {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, output]) => [name, this.#checked(output)]),
      ),
      displays: displays.map((output) => this.#checked(output)),
      mutation_warnings: manifest.mutation_warnings ?? [],
      build_env: manifest.build_env ?? '',
    };
    if (manifest.success) return { success: true, ...base };
    const failure = await this.#failure(manifest);
    const code = harnessResult.options[1].shape.error_code.safeParse(manifest.error_code);
    return {
      success: false,
      ...base,
      ...failure,
      ...(code.success && code.data !== undefined ? { error_code: code.data } : {}),
    };
  }

  async console(
    manifest: AnyBundleManifest,
  ): Promise<Pick<ReadBundle, 'stdout' | 'stderr' | 'stdoutFile' | 'stderrFile'>> {
    const fileNames = { stdout: manifest.stdout_file, stderr: manifest.stderr_file };
    const files = { stdout: this.#stream(fileNames.stdout), stderr: this.#stream(fileNames.stderr) };
    const name = manifest.console ?? BUNDLE_MEMBERS.console;
    const needsJson = files.stdout === null || files.stderr === null;
    const isHuge = (this.#members.get(name)?.bytes ?? 0) > MAX_INDEX_BYTES;
    const streams = !needsJson
      ? null
      : isHuge
        ? { stdout: '[… the console output is too long to show …]\n', stderr: '' }
        : await this.json(name, bundleConsole);
    const stdout = this.#printed('stdout', files.stdout, streams);
    const stderr = this.#printed('stderr', files.stderr, streams);
    return { stdout: stdout.end, stderr: stderr.end, stdoutFile: stdout.file, stderrFile: stderr.file };
  }

  /** The end of a stream as text, and the whole as a file when it is one or is longer than the text may be. */
  #printed(
    name: 'stdout' | 'stderr',
    member: UnpackedMember | null,
    streams: { readonly stdout: string; readonly stderr: string } | null,
  ): { readonly end: string; readonly file: string | null } {
    if (member !== null) return { end: member.end ?? '', file: join(this.#dir, member.file) };
    const whole = Buffer.from(streams?.[name] ?? '');
    const tail = new TailBuffer(MAX_END_BYTES);
    tail.push(whole);
    if (whole.length <= MAX_END_BYTES) return { end: tail.text(), file: null };
    const file = join(this.#dir, `console-${name}.txt`);
    writeNew(file, whole);
    return { end: tail.text(), file };
  }

  /** @throws BundleProblem when the manifest names a stream that is missing */
  #stream(name: string | null | undefined): UnpackedMember | null {
    if (name === null || name === undefined) return null;
    const member = this.#members.get(name);
    if (member === undefined || member.end === null) {
      throw new BundleProblem(`The output bundle lacks ${JSON.stringify(name)}, which its manifest names.`);
    }
    return member;
  }

  /** The output with the name of its file on disk, after comparing it with the received member. */
  #checked(output: HarnessOutput): HarnessOutput {
    if (isOutputFailure(output) || output.file === undefined) return output;
    const member = VALUE_FOLDERS.test(output.file) ? this.#members.get(output.file) : undefined;
    if (member === undefined) {
      throw new BundleProblem(
        `The output bundle lacks ${JSON.stringify(output.file)}, which its manifest names.`,
      );
    }
    if (output.bytes !== member.bytes || (output.sha256 !== undefined && output.sha256 !== member.sha256)) {
      throw new BundleProblem(
        `${JSON.stringify(output.file)} of the output bundle does not match its manifest.`,
      );
    }
    return { ...output, file: member.file, sha256: member.sha256 };
  }

  async #failure(manifest: AnyBundleManifest): Promise<{ error: string; traceback: string }> {
    const fromFile = await this.json(BUNDLE_MEMBERS.error, bundleError);
    const fromManifest = typeof manifest.error === 'object' ? manifest.error : null;
    const detail = fromFile ?? fromManifest;
    const type = detail?.type ?? '';
    const message = detail?.message ?? '';
    const description = type === '' || message === '' ? type || message : `${type}: ${message}`;
    // A manifest may have the name of the file in place of the message.
    const text =
      typeof manifest.error === 'string' && manifest.error !== BUNDLE_MEMBERS.error ? manifest.error : '';
    return {
      error: text || description || 'The cell failed, but the worker did not report the reason.',
      traceback: manifest.traceback ?? detail?.traceback ?? '',
    };
  }
}

/**
 * Whether a value is nested deeper than `most`. Goes level by level, because a recursive function would fail on what is
 * too deep.
 */
function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const inner of Object.values(one)) next.push(inner);
    }
    level = next;
  }
  return false;
}

/** The entries of the manifest's richer index, else those of the index in docs/spec/worker-protocol.md, 6.2. */
function indexOf(
  manifest: AnyBundleManifest,
  members: ReadonlyMap<string, UnpackedMember>,
): {
  readonly variables: Readonly<Record<string, HarnessOutput>>;
  readonly displays: readonly HarnessOutput[];
} {
  const plain = ({
    content_type,
    file,
    bytes,
  }: {
    content_type: string;
    file: string;
    bytes?: number | undefined;
  }) => ({
    content_type,
    file,
    bytes: bytes ?? members.get(file)?.bytes ?? 0,
    preview: null,
  });
  return {
    variables:
      manifest.variables ??
      Object.fromEntries((manifest.outputs ?? []).map((entry) => [entry.name, plain(entry)])),
    displays: manifest.displays ?? (manifest.display ?? []).map(plain),
  };
}
