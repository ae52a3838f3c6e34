/**
 * The two files the server and a harness exchange: the manifest (server → harness) and the result
 * (harness → server). Prose, file layout and examples: `harness/CONTRACT.md`. Semantics 6.1, 7.2.
 *
 * Keys marked *added* are ours, beyond the specification; a reader must do without them.
 */
import { z } from 'zod';

/** A value stored in a file. `file` is absolute or relative to `output_dir`. */
const storedInput = z.object({
  content_type: z.string(),
  file: z.string(),
  uri: z.string().optional(),
  /** Values a shared function or class closes over (module/cell inputs). */
  injected: z.record(z.string(), z.object({ content_type: z.string(), file: z.string() })).optional(),
});

/** A variable every variant of a sweep defines: the cell sees a dict variant → value. */
const sweepInput = z.object({ kind: z.literal('sweep_dict'), variants: z.record(z.string(), storedInput) });

export const harnessInput = z.union([storedInput, sweepInput]);

/** What a harness is asked to run. Every key but `source` and `output_dir` may be absent. */
export const harnessManifest = z.object({
  source: z.string(),
  /** Added. Shown in tracebacks as `<cell NAME>`; default `cell`. */
  cell_name: z.string().optional(),
  /** Added. Working directory and first entry of sys.path: the notebook's folder. Default: unchanged. */
  cwd: z.string().optional(),
  inputs: z.record(z.string(), harnessInput).optional(),
  /** Absolute; exists and is writable. The result file and every value file land here. */
  output_dir: z.string(),
  mounts: z
    .record(z.string(), z.object({ uri: z.string(), mode: z.enum(['ro', 'rw']), local_path: z.string() }))
    .optional(),
  tables: z
    .record(
      z.string(),
      z.object({ uri: z.string(), snapshot_id: z.union([z.number(), z.string()]).nullable() }),
    )
    .optional(),
  /** Set over the inherited environment before any input is read. */
  env: z.record(z.string(), z.string()).optional(),
  /** Names the cell changes in place: exported although they are the same object as the input. */
  mutation_defines: z.array(z.string()).optional(),
  /**
   * Added. Exported names to serialise in full; every other exported name gets a preview only (no file).
   * Absent or `all`: every exported name, as semantics 6.2 has it.
   */
  store: z.union([z.literal('all'), z.array(z.string())]).optional(),
  svc_url: z.string().optional(),
  svc_headers: z.record(z.string(), z.string()).optional(),
  svc_cell_id: z.string().optional(),
  svc_promote_url: z.string().optional(),
  loop: z.object({ iteration: z.int().min(0), until_expr: z.string().optional() }).optional(),
  stream_console: z.boolean().optional(),
});

/** One column of a stored table. `index` marks a column that is a pandas index level. */
const columnMeta = z.object({ name: z.string(), dtype: z.string(), index: z.literal(true).optional() });

/**
 * A value the cell produced: a variable or a display.
 *
 * `file` (relative to `output_dir`) is absent when only a preview was asked for; then `bytes` is 0 and
 * `sha256` is absent. Nulls in previews are `null`; integers beyond ±(2^53 − 1) and non-finite floats are
 * strings, so that the file is strict JSON.
 */
export const outputMeta = z.object({
  content_type: z.string(),
  file: z.string().optional(),
  bytes: z.int().min(0),
  preview: z.unknown(),
  rows: z.int().min(0).optional(),
  columns: z.array(z.string()).optional(),
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
  /** Pickles: which pickler wrote them, and the class name of the value. */
  codec: z.enum(['cloudpickle', 'pickle']).optional(),
  type: z.string().optional(),
  /** Added. Lower-case hex of the file's bytes, computed while they were written. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Added. Columns of a table as the file holds them. */
  schema: z.array(columnMeta).optional(),
  /** Added. The preview is a part of the value. */
  preview_truncated: z.literal(true).optional(),
  /** Added. Displays of objects without a richer form: their repr, at most 4000 characters. */
  text: z.string().optional(),
  /** Only an R session can read the file. */
  r_only: z.boolean().optional(),
});

/** A value that could not be serialised, or a display that could not be rendered. */
export const outputFailure = z.object({
  content_type: z.literal('error').optional(),
  error: z.string(),
  type: z.string(),
});

export const mutationWarning = z.object({
  var_name: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
});

/** `output` entries are told from failures by the `error` key: see `isOutputFailure`. */
const harnessOutput = z.union([outputFailure, outputMeta]);

const resultBase = {
  variables: z.record(z.string(), harnessOutput),
  displays: z.array(harnessOutput),
  /** Present only when the harness captured the streams itself; ours leaves them on fd 1 and 2. */
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  mutation_warnings: z.array(mutationWarning),
  /** `cpython-3.13-linux-x86_64`; empty when unknown. */
  build_env: z.string(),
  loop: z.object({ until_reached: z.boolean(), error: z.string().optional() }).optional(),
};

/** `<output_dir>/harness-result.json`. A failed cell keeps the displays it made before the error. */
export const harnessResult = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), ...resultBase }),
  z.object({
    success: z.literal(false),
    ...resultBase,
    /** `ZeroDivisionError: division by zero`. */
    error: z.string(),
    /** Full text, starting at the cell's own frame; empty when there is none. */
    traceback: z.string(),
    /** Added. Set when the cell did not fail by itself: an input could not be given to it. */
    error_code: z.enum(['R_ONLY_ARTIFACT', 'PRECISION_NARROWED']).optional(),
  }),
]);

/** Name of the result file inside `output_dir`. */
export const HARNESS_RESULT_FILE = 'harness-result.json';

export type HarnessInput = z.infer<typeof harnessInput>;
export type HarnessManifest = z.infer<typeof harnessManifest>;
export type OutputMeta = z.infer<typeof outputMeta>;
export type OutputFailure = z.infer<typeof outputFailure>;
export type HarnessOutput = z.infer<typeof harnessOutput>;
export type MutationWarning = z.infer<typeof mutationWarning>;
export type HarnessResult = z.infer<typeof harnessResult>;

export function isOutputFailure(output: HarnessOutput): output is OutputFailure {
  return 'error' in output;
}
