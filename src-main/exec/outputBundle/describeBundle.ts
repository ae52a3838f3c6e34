/** Writes the manifest of an output bundle, which lists the values that a run on a worker produced. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HarnessOutput,
  type HarnessResult,
  isOutputFailure,
  type OutputMeta,
} from '../../../src-shared/wire/harness.ts';
import { BUNDLE_MEMBERS, type BundleManifest } from '../../../src-shared/wire/worker/bundleManifest.ts';
import type { WorkerHardware } from '../../../src-shared/wire/worker/health.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../../src-shared/wire/worker/protocol.ts';

interface DescribedRun {
  readonly result: HarnessResult;
  /** The folder with the files that `result` names. */
  readonly outputDir: string;
  readonly durationMs: number;
  readonly hardware?: WorkerHardware;
  readonly maxMemberBytes: number;
}

/** A file of the run and its names in the bundle. */
interface Value {
  readonly file: string;
  /** Its name below `outputs/` or `display/` (docs/spec/worker-protocol.md, 6.1). */
  readonly member: string;
  /** Its name below `files/`, for readers that only look there (docs/spec/worker-protocol.md, 6.1). */
  readonly link: string;
}

/**
 * The manifest of a bundle and the values that it names. It has the index of docs/spec/worker-protocol.md, 6.2, which
 * names members, and the richer index, which names the links to them, or the members too when there are no links.
 */
export function describeBundle(
  { result, outputDir, maxMemberBytes, durationMs, hardware }: DescribedRun,
  { hasLinks }: { readonly hasLinks: boolean },
): { readonly manifest: BundleManifest; readonly values: readonly Value[] } {
  const values = new Map<string, Value>();
  const outputs: BundleManifest['outputs'] = [];
  const display: BundleManifest['display'] = [];

  /** Returns the output as the bundle has it; `list` adds it to the index of docs/spec/worker-protocol.md, 6.2. */
  const place = (
    output: HarnessOutput,
    folder: 'outputs' | 'display',
    list: (entry: BundleManifest['display'][number]) => void,
  ): HarnessOutput => {
    if (isOutputFailure(output) || output.file === undefined) return output;
    const { file } = output;
    const bytes = sizeOf(join(outputDir, file)) ?? output.bytes;
    if (bytes > maxMemberBytes) return tooLarge(output, { bytes, maxMemberBytes });
    const value = values.get(file) ?? { file, member: `${folder}/${file}`, link: `files/${file}` };
    values.set(file, value);
    list({ content_type: output.content_type, file: value.member, bytes });
    return { ...output, file: hasLinks ? value.link : value.member, bytes };
  };

  const variables: Record<string, HarnessOutput> = {};
  for (const [name, output] of Object.entries(result.variables)) {
    if (name === '_') continue;
    variables[name] = place(output, 'outputs', (entry) => outputs.push({ name, ...entry }));
  }
  const displays = result.displays.map((one) => place(one, 'display', (entry) => display.push(entry)));
  const lastValue = result.variables['_'];
  if (lastValue !== undefined) variables['_'] = place(lastValue, 'display', () => undefined);

  const manifest: BundleManifest = {
    schema_version: BUNDLE_FORMAT,
    success: result.success,
    executor_ref: NOTEBOOK_CELL_REF,
    duration_ms: Math.round(durationMs),
    outputs,
    display,
    console: BUNDLE_MEMBERS.console,
    error: result.success ? null : result.error,
    traceback: result.success ? null : result.traceback,
    variables,
    displays,
    stdout_file: BUNDLE_MEMBERS.stdout,
    stderr_file: BUNDLE_MEMBERS.stderr,
    mutation_warnings: result.mutation_warnings,
    build_env: result.build_env,
    ...(hardware === undefined || Object.keys(hardware).length === 0 ? {} : { hardware }),
    ...(result.success || result.error_code === undefined ? {} : { error_code: result.error_code }),
  };
  return { manifest, values: [...values.values()] };
}

function tooLarge(
  output: OutputMeta,
  { bytes, maxMemberBytes }: { readonly bytes: number; readonly maxMemberBytes: number },
): HarnessOutput {
  const error = `It is ${bytes} bytes; a worker sends at most ${maxMemberBytes} (SVC_NOTEBOOK_MAX_BUNDLE_MEMBER_BYTES).`;
  return { error, type: output.type ?? output.content_type };
}

/** The size of a file in bytes; null for a missing file and for anything but a regular file. */
function sizeOf(path: string): number | null {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isFile() === true ? info.size : null;
}
