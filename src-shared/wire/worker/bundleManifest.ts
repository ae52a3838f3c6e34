/**
 * The wire form of an output bundle, the tar file with a cell's results that a worker delivers. Its manifest.json has
 * both the index that docs/spec/worker-protocol.md, 6.2 names and the one that other programs write.
 */

import * as z from 'zod';
import { harnessOutput, mutationWarning } from '../harness.ts';
import { workerHardware } from './health.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from './protocol.ts';

export const BUNDLE_MEMBERS = {
  manifest: 'manifest.json',
  console: 'console.json',
  error: 'error.json',
  stdout: 'stdout.txt',
  stderr: 'stderr.txt',
} as const;

const outputEntry = z.object({
  name: z.string(),
  content_type: z.string(),
  file: z.string(),
  bytes: z.int().min(0),
});
const displayEntry = outputEntry.omit({ name: true });

/** The form that this program writes. */
const bundleManifest = z.object({
  schema_version: z.literal(BUNDLE_FORMAT),
  success: z.boolean(),
  executor_ref: z.literal(NOTEBOOK_CELL_REF),
  duration_ms: z.number(),
  outputs: z.array(outputEntry),
  display: z.array(displayEntry),
  console: z.literal(BUNDLE_MEMBERS.console),
  /** The harness's error of the cell; null when it succeeded. */
  error: z.string().nullable(),
  traceback: z.string().nullable(),
  /** Entries as in a harness result, where `file` is the link to the member under `files/`. */
  variables: z.record(z.string(), harnessOutput),
  displays: z.array(harnessOutput),
  /** The streams as printed; console.json has both of them too. */
  stdout_file: z.literal(BUNDLE_MEMBERS.stdout),
  stderr_file: z.literal(BUNDLE_MEMBERS.stderr),
  mutation_warnings: z.array(mutationWarning),
  build_env: z.string(),
  hardware: workerHardware.optional(),
  /** Extension, for a failure that is not the cell's own. */
  error_code: z.string().optional(),
});
export type BundleManifest = z.infer<typeof bundleManifest>;

/** The form that other writers may use: either index; only the outcome of the cell is required. */
export const anyBundleManifest = z.looseObject({
  schema_version: z.literal(BUNDLE_FORMAT),
  success: z.boolean(),
  duration_ms: z.number().optional().catch(undefined),
  outputs: z.array(outputEntry.partial({ bytes: true })).optional(),
  display: z.array(displayEntry.partial({ bytes: true })).optional(),
  console: z.string().nullish(),
  error: z
    .union([
      z.string(),
      z.looseObject({
        type: z.string().nullish(),
        message: z.string().nullish(),
        traceback: z.string().nullish(),
      }),
    ])
    .nullish(),
  traceback: z.string().nullish(),
  variables: z.record(z.string(), harnessOutput).optional(),
  displays: z.array(harnessOutput).optional(),
  stdout_file: z.string().nullish(),
  stderr_file: z.string().nullish(),
  mutation_warnings: z.array(mutationWarning).optional().catch(undefined),
  build_env: z.string().optional().catch(undefined),
  hardware: workerHardware.optional().catch(undefined),
  error_code: z.string().optional().catch(undefined),
});
export type AnyBundleManifest = z.infer<typeof anyBundleManifest>;

/** console.json. */
export const bundleConsole = z.object({ stdout: z.string(), stderr: z.string() });

/** error.json. */
export const bundleError = z.looseObject({
  type: z.string().nullish(),
  message: z.string().nullish(),
  traceback: z.string().nullish(),
  exit_code: z.number().nullish(),
});
